import { once } from 'node:events';
import { existsSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ProcessIdentity } from '../../runtime/core/index.ts';
import { isAlive } from '../../runtime/supervisor/process-facts.ts';
import { LabCommand } from '../support/lab-command.ts';
import { RelayFolder } from '../support/relay-folder.ts';

/** Waits in its step until a file `go` stands in the run's folder. */
const waits = `
import { DBOS } from '@dbos-inc/dbos-sdk';
import { existsSync } from 'node:fs';
async function waits() {
  await DBOS.runStep(async () => 'before', { name: 'before' });
  await DBOS.runStep(
    async () => {
      while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    { name: 'wait' },
  );
  return 'went';
}
export const run = DBOS.registerWorkflow(waits);
`;

interface Host {
  readonly child: ReturnType<LabCommand['spawn']>;
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
}

/** Starts a run that waits, in a process that becomes the host, and resolves once its second step is under way. */
async function hostOfWaitingRun(lab: LabCommand, relay: RelayFolder, id: string): Promise<Host> {
  const child = lab.spawn(['run', 'start', relay.path, '--id', id, '--follow']);
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (part) => (stderr += String(part)));
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
  }));
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (part) => {
      stdout += String(part);
      if (/"operation":"1"/.test(stdout)) resolve();
    });
    void ended.then(() => reject(new Error(`the host ended early: ${stdout}${stderr}`)));
  });
  return { child, pid: child.pid ?? 0, stdout: () => stdout, stderr: () => stderr, ended };
}

function letGo(lab: LabCommand, id: string): void {
  writeFileSync(join(lab.dataDir, 'runs', id, 'work', 'go'), '');
}

function said(host: Host, words: RegExp): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (words.test(host.stderr())) resolve();
    };
    host.child.stderr.on('data', look);
    look();
  });
}

function lastRun({ lines }: { lines: readonly Record<string, unknown>[] }): Record<string, unknown> {
  return lines.at(-1)?.['run'] as Record<string, unknown>;
}

describe('a living host', () => {
  it('answers other commands: they see its run, start theirs in it, and cancel', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(waits);
    const host = await hostOfWaitingRun(lab, relay, 'first');
    expect((await lab.run(['run', 'list'])).lines).toMatchObject([
      { id: 'first', state: 'running', holder: { pid: host.pid } },
    ]);
    const second = lab.run(['run', 'start', relay.path, '--id', 'second']);
    await fileAppears(join(lab.dataDir, 'runs', 'second'));
    expect(lastRun(await lab.run(['run', 'show', 'second']))).toMatchObject({ holder: { pid: host.pid } });
    letGo(lab, 'second');
    expect(lastRun(await second)).toMatchObject({ state: 'succeeded', result: 'went' });
    expect(lastRun(await lab.run(['run', 'cancel', 'first', '--grace', '0']))).toMatchObject({ state: 'cancelled' });
    expect(await host.ended).toMatchObject({ code: 1 });
  });

  it('kills a run for another command, whose own command then ends with 1', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(waits);
    const host = await hostOfWaitingRun(lab, relay, 'shot');
    expect(await lab.run(['run', 'kill', 'shot', '--revision', '1'])).toMatchObject({
      code: 3,
      lines: [{ error: { code: 'conflict' } }],
    });
    expect(await lab.run(['run', 'kill', 'shot'])).toMatchObject({
      code: 0,
      lines: [{ run: { state: 'interrupted' }, attempts: [{ cause: { kind: 'killed' } }] }],
    });
    expect(await host.ended).toMatchObject({ code: 1 });
  });

  it('streams the events of its run to another command until it is at rest', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(waits);
    const host = await hostOfWaitingRun(lab, relay, 'seen');
    const following = lab.spawn(['run', 'events', 'seen', '--follow']);
    let stdout = '';
    await new Promise<void>((resolve) => {
      following.stdout.on('data', (part) => {
        stdout += String(part);
        if (stdout.includes('"operation":"1"')) resolve();
      });
    });
    letGo(lab, 'seen');
    expect(await once(following, 'close')).toEqual([0, null]);
    await host.ended;
    const numbers = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { sequence: number }).sequence);
    expect(numbers).toEqual(numbers.map((_number, index) => index + 1));
    expect(stdout).toContain('"to":"succeeded"');
  });

  it('stays when its own command is done until the runs of others are, and says so', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(waits);
    const host = await hostOfWaitingRun(lab, relay, 'own');
    const other = lab.run(['run', 'start', relay.path, '--id', 'other']);
    await fileAppears(join(lab.dataDir, 'runs', 'other'));
    letGo(lab, 'own');
    await said(host, /staying/);
    letGo(lab, 'other');
    expect(lastRun(await other)).toMatchObject({ state: 'succeeded' });
    expect(await host.ended).toMatchObject({ code: 0 });
    expect(existsSync(join(lab.dataDir, 'host.json'))).toBe(false);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('that gets %s ends its run as interrupted and lets the folder go', async (signal, code) => {
    using lab = new LabCommand();
    using relay = new RelayFolder(waits);
    const host = await hostOfWaitingRun(lab, relay, 'cut');
    host.child.kill(signal);
    expect(await host.ended).toMatchObject({ code });
    const [shown] = (await lab.run(['run', 'show', 'cut'])).lines;
    expect(shown).toMatchObject({ run: { state: 'interrupted' }, operations: [{ state: 'checkpointed' }, {}] });
    letGo(lab, 'cut');
    expect(lastRun(await lab.run(['run', 'recover', 'cut']))).toMatchObject({ state: 'succeeded', result: 'went' });
  });

  it('that was killed leaves no process, and the next command finds its run interrupted and recovers it', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(waits);
    const host = await hostOfWaitingRun(lab, relay, 'left');
    const [before] = (await lab.run(['run', 'show', 'left'])).lines as [{ attempts: { process: ProcessIdentity }[] }];
    host.child.kill('SIGKILL');
    await host.ended;
    letGo(lab, 'left');
    const recovered = await lab.run(['run', 'recover', 'left']);
    expect(recovered).toMatchObject({
      code: 0,
      lines: [{ run: { state: 'succeeded' }, attempts: [{ cause: { kind: 'host-gone' } }, { reused: 1 }] }],
    });
    const [first] = before.attempts;
    expect(first && isAlive(first.process)).toBe(false);
  });

  it('that does not answer refuses others with 3, named with its pid', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(waits);
    const host = await hostOfWaitingRun(lab, relay, 'held');
    host.child.kill('SIGSTOP');
    const refused = await lab.run(['run', 'recover', 'held']);
    host.child.kill('SIGCONT');
    expect(refused).toMatchObject({ code: 3, lines: [{ error: { code: 'locked', facts: { pid: host.pid } } }] });
    expect(refused.stderr).toContain(`process ${host.pid} since 20`);
  });

  it('keeps its files to their owner', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(waits);
    const host = await hostOfWaitingRun(lab, relay, 'private');
    const mode = (name: string): number => statSync(join(lab.dataDir, name)).mode & 0o777;
    expect(statSync(lab.dataDir).mode & 0o777).toBe(0o700);
    expect([mode('host.json'), mode('host.sock'), mode('runs'), mode('releases')]).toEqual([
      0o600, 0o600, 0o700, 0o700,
    ]);
    expect(JSON.parse(readFileSync(join(lab.dataDir, 'host.json'), 'utf8'))).toMatchObject({ pid: host.pid });
  });
});

describe('commands that come at once', () => {
  it('all get their work done, by one host after the other or by the one that is there', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(waits.replace("while (!existsSync('go'))", 'if (false)'));
    const ends = await Promise.all(['a', 'b', 'c', 'd'].map((id) => lab.run(['run', 'start', relay.path, '--id', id])));
    expect(ends.map((end) => [end.code, lastRun(end)['state']])).toEqual(ends.map(() => [0, 'succeeded']));
  });
});

/** Resolves once the folder is there; its parent must be. */
function fileAppears(path: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(join(path, '..'), () => look());
    const look = (): void => {
      if (!existsSync(path)) return;
      watcher.close();
      resolve();
    };
    look();
  });
}
