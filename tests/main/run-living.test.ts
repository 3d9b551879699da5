import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LabError } from '../../runtime/core/index.ts';
import { crashActions, operationPhases, parseCrashPoint, runPhases } from '../../runtime/crash/index.ts';
import { crashHandlers } from '../../main/crash-handlers.ts';
import { LabCommand } from '../support/lab-command.ts';
import { RelayFolder } from '../support/relay-folder.ts';
import { plain } from './plain-command.ts';

/** Holds until the file `go` is there, and then fails once and waits an hour for its next try. */
const holds = `
import { DBOS } from '@dbos-inc/dbos-sdk';
import { existsSync } from 'node:fs';
let tries = 0;
export const run = DBOS.registerWorkflow(async () => {
  await DBOS.runStep(async () => {
    while (!existsSync('go')) await new Promise((r) => setTimeout(r, 5));
  }, { name: 'hold' });
  await DBOS.runStep(async () => {
    tries += 1;
    if (tries === 1) throw new Error('not yet');
  }, { name: 'flaky', retriesAllowed: true, intervalSeconds: 3600 });
  await DBOS.runStep(async () => undefined, { name: 'last' });
}, { name: 'holds' });
`;

/** The command's output, once it has said something that fits. */
function said(child: ReturnType<LabCommand['spawn']>, words: RegExp): Promise<void> {
  let text = '';
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (part) => {
      text += String(part);
      if (words.test(text)) resolve();
    });
    child.once('exit', () => reject(new Error(`it ended early: ${text}`)));
  });
}

describe('commands on a living attempt', () => {
  it('arm and withdraw crash points, and cut the wait for the next try short', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(holds);
    const host = lab.spawn(['run', 'start', relay.path, '--id', 'held', '--follow']);
    try {
      await said(host, /"operation.intended"/);
      expect(await lab.run(['run', 'arm', 'held', 'last@before-intent'])).toMatchObject({ code: 0 });
      const armed = await lab.run(['run', 'arm', 'he', 'flaky@after-checkpoint']);
      expect(armed).toMatchObject({
        code: 0,
        lines: [{ number: 1, crashPlan: [{ state: 'armed' }, { point: 'flaky@after-checkpoint', state: 'armed' }] }],
      });
      const shown = await plain(['run', 'disarm', 'held', 'last@before-intent'], lab.dataDir);
      expect(shown).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/withdrawn +last@before-intent/) as string,
      });
      expect(await lab.run(['run', 'disarm', 'held', 'last@before-intent'])).toMatchObject({ code: 3 });
      expect(await lab.run(['run', 'arm', 'held', 'hold@before-intent'])).toMatchObject({
        code: 3,
        lines: [{ error: { code: 'wrong-state', message: expect.stringContaining('at work already') as string } }],
      });
      expect(await lab.run(['run', 'arm', 'held', 'hold@never'])).toMatchObject({ code: 2 });
      expect(await lab.run(['run', 'retry', 'held', '--operation', '0'])).toMatchObject({ code: 3 });
      const waits = said(host, /"operation.try"/);
      writeFileSync(join(lab.dataDir, 'runs/held/work/go'), '');
      await waits;
      const fired = said(host, /"crash-point.fired"/);
      expect(await lab.run(['run', 'retry', 'held', '--operation', '1'])).toMatchObject({
        code: 0,
        lines: [{ run: 'held', operation: '1' }],
      });
      await fired;
    } finally {
      host.kill('SIGTERM');
    }
    const [detail] = (await lab.run(['run', 'show', 'held'])).lines;
    expect(detail).toMatchObject({
      attempts: [{ crashPlan: [{ state: 'withdrawn' }, { state: 'fired' }] }],
      operations: [{ name: 'hold' }, { name: 'flaky', state: 'checkpointed', bodies: 1 }],
    });
  });

  it('are refused where none lives', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(holds);
    await lab.run(['run', 'start', relay.path, '--id', 'dead', '--crash', 'run@at-start']);
    for (const words of [
      ['arm', 'dead', 'last@during'],
      ['disarm', 'dead', 'run@at-start'],
      ['retry', 'dead', '--operation', '1'],
    ]) {
      expect(await lab.run(['run', ...words])).toMatchObject({ code: 3, lines: [{ error: { code: 'wrong-state' } }] });
    }
    expect(await lab.run(['run', 'arm', 'nobody', 'last@during'])).toMatchObject({ code: 2 });
  });
});

describe('crash/phases and crash/check', () => {
  it('name every phase with what is on disk, and actions that can be written as they are', async () => {
    const { operation, run, actions } = await crashHandlers['crash/phases']({});
    expect(Object.fromEntries(operation.map(({ phase, onDisk }) => [phase, onDisk]))).toEqual(operationPhases);
    expect(Object.fromEntries(run.map(({ phase, onDisk }) => [phase, onDisk]))).toEqual(runPhases);
    expect(actions).toEqual([...crashActions]);
    for (const action of actions) expect(() => parseCrashPoint(`a@during=${action}`)).not.toThrow();
  });

  it('give each point in its usual form, or what is wrong with it', async () => {
    const points = ['pay#1@during', 'run@at-start=SIGKILL', 'pay@later', 'run@during'];
    const checked = await crashHandlers['crash/check']({ points });
    expect(checked.map(({ point }) => point)).toEqual(['pay@during', 'run@at-start', 'pay@later', 'run@during']);
    expect(checked.map(({ problem }) => problem?.replace(/^.*used: /, '') ?? null)).toEqual([
      null,
      null,
      expect.stringContaining('"later" is none of before-intent') as string,
      expect.stringMatching(/needs a time\. Write run@during\+500/) as string,
    ]);
    for (const { point, problem } of checked.filter((one) => one.problem !== null)) {
      expect(() => parseCrashPoint(point)).toThrow(LabError);
      expect(problem).not.toContain('[object');
    }
  });
});

describe('permission', () => {
  it('on what is no resource is refused with the forms that there are', async () => {
    using lab = new LabCommand();
    const refused = await plain(['permission', 'revoke', 'nope'], lab.dataDir);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('expected relay:NAME, mcp:NAME, service:NAME or secret:RELAY/NAME') as string,
    });
    expect(refused.stderr).not.toMatch(/\/\^|pattern/);
  });
});
