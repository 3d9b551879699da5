import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { LabCommand, type CommandEnd } from '../support/lab-command.ts';
import { RelayFolder } from '../support/relay-folder.ts';

const workflow = (body: string): string => `
import { DBOS } from '@dbos-inc/dbos-sdk';
import * as fs from 'node:fs';
import * as childProcess from 'node:child_process';
export const run = DBOS.registerWorkflow(async (input) => { ${body} }, { name: 'main' });
`;

function errorOf(end: CommandEnd): { code: string; message: string; next: string } {
  const last = end.lines.at(-1) as { error?: { code: string; message: string; next: string } } | undefined;
  if (last?.error === undefined) throw new Error(`no error in the output: ${end.stdout}${end.stderr}`);
  return last.error;
}

async function start(
  entry: string,
  args: readonly string[] = [],
  manifest: Record<string, unknown> = {},
): Promise<CommandEnd> {
  using lab = new LabCommand();
  using relay = new RelayFolder(entry, manifest);
  return await lab.run(['run', 'start', relay.path, ...args]);
}

describe('bad input', () => {
  const good = workflow('return input;');

  it('names a scenario that there is not, and those there are', async () => {
    using lab = new LabCommand();
    const end = await lab.run(['scenario', 'run', 'no-such-scenario']);
    expect(end.code).toBe(2);
    expect(errorOf(end).message).toContain('no-such-scenario');
    expect(`${errorOf(end).message} ${errorOf(end).next}`).toContain('crash-after-checkpoint');
  });

  it('names a folder that has no manifest', async () => {
    using lab = new LabCommand();
    const end = await lab.run(['run', 'start', tmpdir()]);
    expect(end.code).toBe(2);
    expect(errorOf(end).message).toContain('relay.json');
    expect(errorOf(end).message).toContain(tmpdir());
  });

  it('shows where an entry does not parse', async () => {
    const end = await start('export const run = (;\n');
    expect(end.code).toBe(2);
    expect(errorOf(end).message).toMatch(/relay\.ts:1:\d+/);
  });

  it('names an entry that does not export run', async () => {
    const end = await start('export const walk = 1;\n');
    expect(end.code).toBe(2);
    expect(errorOf(end).message).toContain('run');
  });

  it('names an unknown key of the manifest', async () => {
    const end = await start(good, [], { durabilty: 'dbos' });
    expect(end.code).toBe(2);
    expect(errorOf(end).message).toContain('durabilty');
  });

  it('shows where an input is not JSON', async () => {
    const end = await start(good, ['--input', '{"a":1,}']);
    expect(end.code).toBe(2);
    expect(errorOf(end).message).toMatch(/JSON/);
  });

  it('refuses an input over 128 KiB with its size and the limit, and takes one of 128 KiB', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(good);
    const input = JSON.stringify('x'.repeat(128 * 1024 - 2));
    expect((await lab.run(['run', 'start', relay.path, '--input', '-'], { input })).code).toBe(0);
    const end = await lab.run(['run', 'start', relay.path, '--input', '-'], { input: input.replace('x', 'xx') });
    expect(end.code).toBe(2);
    expect(errorOf(end).message).toMatch(/over 131072 bytes/);
  });

  it('names where an input breaks the schema', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const end = await start(good, ['--input', '{"n":"1"}'], { input_schema: schema });
    expect(end.code).toBe(2);
    expect(errorOf(end).message).toMatch(/\/n/);
  });

  it('names a crash point that is none', async () => {
    const end = await start(good, ['--crash', 'a@later']);
    expect(end.code).toBe(2);
    expect(errorOf(end).message).toContain('before-intent');
  });

  it('refuses a run id that is taken or is no name', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(good);
    expect((await lab.run(['run', 'start', relay.path, '--id', 'one'])).code).toBe(0);
    expect((await lab.run(['run', 'start', relay.path, '--id', 'one'])).code).toBe(3);
    const end = await lab.run(['run', 'start', relay.path, '--id', '../one']);
    expect(end.code).toBe(2);
    expect(errorOf(end).message).toContain('../one');
  });
});
