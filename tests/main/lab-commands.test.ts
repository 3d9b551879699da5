import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LabCommand } from '../support/lab-command.ts';
import { RelayFolder } from '../support/relay-folder.ts';
import { plain, twoSteps } from './plain-command.ts';
import { temporaryFolder } from './temporary-folder.ts';

describe('a folder that holds something else', () => {
  it('is not taken for a data folder, and keeps its rights', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'letter.txt'), 'dear all');
    chmodSync(folder, 0o755);
    const refused = await plain(['permission', 'grant', 'relay:x'], folder);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('letter.txt') as string });
    expect(statSync(folder).mode & 0o777).toBe(0o755);
  });
});

describe('scenarios', () => {
  it('are listed, and one that is run gives its evidence as one line', async () => {
    using lab = new LabCommand();
    const listed = (await lab.run(['scenario', 'list'])).lines;
    expect(listed.map(({ name }) => name)).toContain('crash-after-checkpoint');
    const { code, lines, stderr } = await lab.run(['scenario', 'run', 'crash-after-checkpoint']);
    expect(code).toBe(0);
    expect(lines).toHaveLength(1);
    const [result] = lines as [{ scenario: string; ok: boolean; runId: string; evidence: object[] }];
    expect(Object.keys(result)).toEqual(['scenario', 'ok', 'runId', 'evidence']);
    expect(result.evidence.map((one) => Object.keys(one))).toEqual(
      result.evidence.map(() => ['name', 'expected', 'actual', 'ok']),
    );
    expect(stderr).toBe('scenario crash-after-checkpoint runs\n');
    expect(await lab.run(['run', 'show', result.runId])).toMatchObject({
      code: 0,
      lines: [{ attempts: [{}, { reused: 2 }] }],
    });
  });

  it('whose evidence is missing end with 1', async () => {
    using lab = new LabCommand();
    await lab.run(['permission', 'revoke', 'relay:order-fulfilment']);
    const { code, lines } = await lab.run(['scenario', 'run', 'complete']);
    expect(code).toBe(1);
    expect(lines).toMatchObject([{ scenario: 'complete', ok: false }]);
  });
});

describe('doctor', () => {
  it('tries what the lab rests on, and says so of the host that it asked', async () => {
    using lab = new LabCommand();
    const { code, lines } = await lab.run(['doctor']);
    expect(code).toBe(0);
    const checks = new Map(lines.map((one) => [one['name'], one]));
    expect(checks.get('sync mode')).toMatchObject({
      ok: true,
      detail: expect.stringContaining('synchronous=2') as string,
    });
    expect(checks.get('keeper')).toMatchObject({ ok: true });
    expect(checks.get('wall: write outside')).toMatchObject({ ok: true });
    expect(checks.get('wall: network')).toMatchObject({ ok: null });
  });

  it('ends with 1 and says why when the ledger cannot be opened', async () => {
    using lab = new LabCommand();
    writeFileSync(join(lab.dataDir, 'ledger.sqlite'), 'x'.repeat(4096));
    const { code, lines } = await lab.run(['doctor']);
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatchObject({
      name: 'host',
      ok: false,
      detail: expect.stringContaining('ledger.sqlite') as string,
    });
    expect(lines.find(({ name }) => name === 'node')).toMatchObject({ ok: true });
  });
});

describe('permissions', () => {
  it('that are revoked refuse a start with 3 until they are granted again', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(twoSteps);
    expect(await lab.run(['permission', 'revoke', 'relay:made-for-a-test'])).toMatchObject({
      code: 0,
      lines: [{ granted: false }],
    });
    expect(await lab.run(['run', 'start', relay.path])).toMatchObject({
      code: 3,
      lines: [{ error: { code: 'admission-denied' } }],
    });
    await lab.run(['permission', 'grant', 'relay:made-for-a-test']);
    expect(await lab.run(['run', 'start', relay.path])).toMatchObject({ code: 0 });
    expect((await lab.run(['permission', 'list'])).lines).toEqual([
      expect.objectContaining({ resource: 'relay:made-for-a-test', granted: true }),
    ]);
  });
});

describe('the tour', () => {
  it('shows the four main scenarios with all evidence, and leaves nothing behind', { timeout: 120_000 }, async () => {
    using lab = new LabCommand();
    const tours = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('recovery-lab-tour-'));
    const before = tours();
    const { code, lines } = await lab.run(['tour'], { timeoutMs: 110_000 });
    expect(code).toBe(0);
    expect(lines.map(({ scenario, ok }) => [scenario, ok])).toEqual([
      ['complete', true],
      ['crash-after-checkpoint', true],
      ['crash-during-safe', true],
      ['crash-during-uncertain', true],
    ]);
    expect(tours().filter((name) => !before.includes(name))).toEqual([]);
  });
});
