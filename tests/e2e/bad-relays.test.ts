import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LabCommand, type CommandEnd } from '../support/lab-command.ts';
import { RelayFolder } from '../support/relay-folder.ts';

const workflow = (body: string): string => `
import { DBOS } from '@dbos-inc/dbos-sdk';
import * as fs from 'node:fs';
import * as childProcess from 'node:child_process';
export const run = DBOS.registerWorkflow(async (input) => { ${body} }, { name: 'main' });
`;

interface Final {
  run: {
    id: string;
    state: string;
    error: { code?: string | null; name?: string; message: string } | null;
    reason: string | null;
    result: unknown;
  };
  attempts: { number: number; cause: { kind: string; code?: number } | null }[];
}

function finalOf(end: CommandEnd): Final {
  const last = end.lines.at(-1);
  if (last === undefined || !('run' in last)) throw new Error(`no run in the output: ${end.stdout}${end.stderr}`);
  return last as unknown as Final;
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

describe('a relay that misbehaves', () => {
  it('floods stdout and stderr and still ends, with its output bounded on disk', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(
      workflow(`
        const line = 'x'.repeat(65536) + '\\n';
        for (let i = 0; i < 800; i += 1) { process.stdout.write(line); process.stderr.write(line); }
        return 'done';`),
    );
    const end = await lab.run(['run', 'start', relay.path]);
    const { run } = finalOf(end);
    expect(run).toMatchObject({ state: 'succeeded', result: 'done' });
    const folder = join(lab.dataDir, 'runs', run.id, 'attempts', '1');
    for (const stream of ['stdout', 'stderr']) {
      expect(statSync(join(folder, stream)).size).toBeLessThan(9 * 1024 * 1024);
    }
  });

  it('prints its last lines right before it returns, and none is lost', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(
      workflow(`for (let i = 0; i < 40; i += 1) console.log('x'.repeat(100000)); console.log('THE END'); return 1;`),
    );
    const { run } = finalOf(await lab.run(['run', 'start', relay.path]));
    expect(run.state).toBe('succeeded');
    const stdout = readFileSync(join(lab.dataDir, 'runs', run.id, 'attempts', '1', 'stdout'), 'utf8');
    expect(stdout).toHaveLength(40 * 100_001 + 8);
  });

  it('floods its log, is held back meanwhile, and loses no line', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(
      workflow(`
        for (let i = 0; i < 12000; i += 1) { DBOS.logger.info('line ' + i); if (i % 100 === 0) await new Promise(setImmediate); }
        return await DBOS.runStep(async () => 'x'.repeat(850 * 1024), { name: 'large' }).then((text) => text.length);`),
    );
    const end = await lab.run(['run', 'start', relay.path, '--crash', 'run@before-result']);
    const { run } = finalOf(end);
    expect(run.state).toBe('interrupted');
    expect(finalOf(await lab.run(['run', 'recover', run.id])).run).toMatchObject({
      state: 'succeeded',
      result: 850 * 1024,
    });
    const lines = readFileSync(join(lab.dataDir, 'runs', run.id, 'dbos_events.jsonl'), 'utf8')
      .trim()
      .split('\n');
    expect(lines).toHaveLength(24_000);
  });

  it('writes outside its folder and gets an error that names the path', async () => {
    const target = join(tmpdir(), `outside-${process.pid}.txt`);
    const end = await start(workflow(`fs.writeFileSync(${JSON.stringify(target)}, 'x'); return 1;`));
    expect(end.code).toBe(1);
    expect(finalOf(end).run).toMatchObject({ state: 'failed', error: { code: 'ERR_ACCESS_DENIED' } });
    expect(existsSync(target)).toBe(false);
  });

  it('reads outside its folder and gets an error', async () => {
    const secret = join(tmpdir(), `secret-${process.pid}.txt`);
    writeFileSync(secret, 'secret');
    const end = await start(workflow(`return fs.readFileSync(${JSON.stringify(secret)}, 'utf8');`));
    expect(finalOf(end).run).toMatchObject({ state: 'failed', error: { code: 'ERR_ACCESS_DENIED' } });
  });

  it('forks a child and gets an error', async () => {
    const end = await start(workflow(`childProcess.spawnSync('/bin/sh', ['-c', 'true']); return 1;`));
    expect(finalOf(end).run).toMatchObject({ state: 'failed', error: { code: 'ERR_ACCESS_DENIED' } });
  });

  it('sends garbage on the socket and is ended, the host is not', async () => {
    const end = await start(
      workflow(`fs.writeSync(3, 'garbage\\n'); await new Promise(() => setInterval(() => {}, 1000));`),
    );
    expect(end.code).toBe(1);
    const { run, attempts } = finalOf(end);
    expect(run).toMatchObject({ state: 'failed', error: { code: 'frame-invalid' } });
    expect(run.error?.message).toContain('garbage');
    expect(attempts).toHaveLength(1);
  });

  it('sends a frame without end and is ended', async () => {
    const end = await start(
      workflow(`
        const part = Buffer.alloc(65536, 97);
        for (let i = 0; i < 40; i += 1) { try { fs.writeSync(3, part); } catch { await new Promise((r) => setTimeout(r, 5)); } }
        await new Promise(() => setInterval(() => {}, 1000));`),
    );
    expect(finalOf(end).run).toMatchObject({ state: 'failed', error: { code: 'frame-invalid' } });
  });

  it('exits 0 without a result and is interrupted with that as its reason', async () => {
    const end = await start(workflow(`process.exit(0);`));
    expect(end.code).toBe(1);
    const { run, attempts } = finalOf(end);
    expect(run.state).toBe('interrupted');
    expect(run.reason).toContain('exited with code 0 without returning a result');
    expect(attempts[0]?.cause).toEqual({ kind: 'exit', code: 0 });
  });

  it('waits for what never comes with nothing left to do, and is told from one that works', async () => {
    const end = await start(workflow(`await new Promise(() => {});`));
    expect(end.code).toBe(1);
    expect(finalOf(end).run).toMatchObject({ state: 'failed', error: { code: 'relay-failed' } });
  });

  it.each([
    [`throw 'just a text';`, 'threw "just a text", which is not an Error'],
    [`throw { code: 42 };`, 'threw {"code":42}, which is not an Error'],
    [`throw undefined;`, 'threw undefined, which is not an Error'],
  ])('throws a non-Error: %s', async (body, message) => {
    const end = await start(workflow(body));
    expect(end.code).toBe(1);
    const { run } = finalOf(end);
    expect(run.state).toBe('failed');
    expect(run.error?.message).toContain(message);
  });

  it('throws beside its awaited path and fails with that error', async () => {
    const end = await start(
      workflow(
        `setTimeout(() => { throw new RangeError('from a timer'); }, 1); await new Promise((r) => setTimeout(r, 5000)); return 1;`,
      ),
    );
    expect(finalOf(end).run).toMatchObject({ state: 'failed', error: { name: 'RangeError', message: 'from a timer' } });
  });

  it('returns what JSON cannot carry and is told where it stands', async () => {
    const end = await start(workflow(`return { ok: true, items: [1, { callback() {} }] };`));
    expect(end.code).toBe(1);
    const { run } = finalOf(end);
    expect(run.state).toBe('failed');
    expect(run.error?.message).toMatch(/items\[1\]\.callback/);
  });

  it('returns over 128 KiB and is told the size and the limit', async () => {
    const end = await start(workflow(`return 'x'.repeat(140000);`));
    expect(end.code).toBe(1);
    const { run } = finalOf(end);
    expect(run.state).toBe('failed');
    expect(run.error?.message).toMatch(/140002.*131072/);
  });

  it('returns 128 KiB to the byte and succeeds', async () => {
    const end = await start(workflow(`return 'x'.repeat(${128 * 1024 - 2});`));
    expect(finalOf(end).run.state).toBe('succeeded');
  });

  it('has a step whose value cannot survive, and is told its path', async () => {
    const end = await start(
      workflow(`return await DBOS.runStep(async () => ({ a: [new Promise(() => {})] }), { name: 'bad' });`),
    );
    expect(finalOf(end).run).toMatchObject({ state: 'failed' });
    expect(finalOf(end).run.error?.message).toMatch(/a\[0\]/);
  });

  it('never yields, and is killed when the grace after cancel is over', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(
      workflow(`await DBOS.runStep(async () => 1, { name: 'first' }); console.log('spinning'); for (;;) {}`),
    );
    const host = lab.spawn(['run', 'start', relay.path, '--id', 'spinner', '--follow']);
    const output: string[] = [];
    const ended = new Promise<number | null>((resolve) => host.on('exit', resolve));
    await new Promise<void>((resolve) => {
      host.stdout.on('data', (part: Buffer) => {
        output.push(part.toString());
        if (output.join('').includes('operation.checkpointed')) resolve();
      });
    });
    const cancel = await lab.run(['run', 'cancel', 'spinner', '--grace', '200']);
    expect(cancel.code).toBe(0);
    expect(await ended).toBe(1);
    const { run, attempts } = finalOf(await lab.run(['run', 'show', 'spinner']));
    expect(run.state).toBe('cancelled');
    expect(attempts[0]?.cause).toEqual({ kind: 'grace-over' });
  });

  it('leaves no file outside its run folder and no stray temporary file in it', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(workflow(`fs.writeFileSync('mine.txt', 'x'); return 1;`));
    const { run } = finalOf(await lab.run(['run', 'start', relay.path]));
    expect(run.state).toBe('succeeded');
    const files = readdirSync(join(lab.dataDir, 'runs', run.id)).sort();
    expect(files).toEqual(['attempts', 'relay_result.json', 'relay_trace.json', 'work']);
    expect(readdirSync(join(lab.dataDir, 'runs', run.id, 'work'))).toEqual(['mine.txt']);
  });

  it('cannot touch the evidence about itself: neither its output, nor its logs, nor its result', async () => {
    using lab = new LabCommand();
    const evidence = ['attempts/1/stdout', 'attempts/1/exit.json', 'dbos_events.jsonl', 'relay_result.json', 'new'];
    using relay = new RelayFolder(
      workflow(`
        console.log('as it was');
        return ${JSON.stringify(evidence)}.map((name) => {
          try {
            fs.writeFileSync('../' + name, 'forged');
            return 'written';
          } catch (error) {
            return error.code;
          }
        });`),
    );
    const { run } = finalOf(await lab.run(['run', 'start', relay.path]));
    expect(run.result).toEqual(evidence.map(() => 'ERR_ACCESS_DENIED'));
    const folder = join(lab.dataDir, 'runs', run.id);
    expect(readFileSync(join(folder, 'attempts/1/stdout'), 'utf8')).toBe('as it was\n');
    expect(existsSync(join(folder, 'new'))).toBe(false);
  });
});
