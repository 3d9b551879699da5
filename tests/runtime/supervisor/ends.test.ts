import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Supervisor } from '../../../runtime/engine/ports.ts';
import { limits } from '../../../runtime/core/index.ts';
import { openSupervisor } from '../../../runtime/supervisor/index.ts';
import { livingMembers, readProcess } from '../../../runtime/supervisor/process-facts.ts';
import {
  eventually,
  go,
  identityOf,
  killAfterTest,
  openWith,
  programs,
  start,
  temporaryFolder,
} from './relay-fixture.ts';

const killed = { kind: 'killed', by: 'the test' } as const;

function exitRecord(runDir: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(runDir, 'attempts/1/exit.json'), 'utf8')) as Record<string, unknown>;
}

describe('an attempt', () => {
  it('leads a group and a session of its own', async () => {
    const supervisor: Supervisor = await openWith('echo.mjs');
    const relay = await supervisor.spawn(
      { run: 'r', attempt: 1, runDir: temporaryFolder(), workDir: temporaryFolder(), readable: [programs] },
      { onFrame() {}, onEnd() {} },
    );
    const { pid } = relay.identity;
    const [, , group, session] = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /, '')
      .split(' ');
    expect([group, session]).toEqual([String(pid), String(pid)]);
    expect(supervisor.isAlive(relay.identity)).toBe(true);
    expect(supervisor.isAlive(supervisor.self)).toBe(true);
  });

  it('ends with its exit code, and leaves a record that only its owner can read', async () => {
    const supervisor = await openWith('echo.mjs');
    const { relay, watched, runDir } = await start(supervisor);
    relay.send({ tag: 'exit', code: 7 });
    expect(await watched.end).toEqual({ kind: 'exit', code: 7 });
    expect(exitRecord(runDir)).toMatchObject({
      run: 'run-1',
      attempt: 1,
      process: relay.identity,
      cause: { kind: 'exit', code: 7 },
      exitCode: 7,
      signal: null,
      left: [],
    });
    const folder = join(runDir, 'attempts/1');
    expect(readdirSync(folder).sort()).toEqual(['exit.json', 'stderr', 'stdout']);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('that exits with 0 without a result has not finished', async () => {
    const { relay, watched } = await start(await openWith('echo.mjs'));
    relay.send({ tag: 'exit', code: 0 });
    expect(await watched.end).toEqual({ kind: 'exit', code: 0 });
  });

  it('that exits with 0 after its result has finished', async () => {
    const { relay, watched } = await start(await openWith('result-then-exit.mjs'));
    relay.send(go);
    expect(await watched.end).toEqual({ kind: 'finished' });
    expect(watched.frames.map((frame) => frame.tag)).toEqual(['result']);
  });

  it('killed by somebody else has the signal as its cause', async () => {
    const { relay, watched } = await start(await openWith('echo.mjs'));
    process.kill(relay.identity.pid, 'SIGKILL');
    expect(await watched.end).toEqual({ kind: 'signal', signal: 'SIGKILL' });
  });

  it('delivers every frame that it sent before its death, also when the host was busy and then wrote to it', async () => {
    const { relay, watched } = await start(await openWith('last-words.mjs'));
    relay.send(go);
    await new Promise((resolve) => setImmediate(resolve));
    // The host does not look until the process is a zombie with everything still in the socket.
    for (let looks = 0; readProcess(relay.identity.pid)?.zombie !== true; looks += 1) expect(looks).toBeLessThan(1e6);
    relay.send(go);
    const counted = new Promise<number>((resolve) => (watched.atEnd = () => resolve(watched.frames.length)));
    expect(await counted).toBe(101);
    expect(watched.frames.at(-1)).toMatchObject({ message: 'last' });
  });

  it('that closes its socket and lives on is ended', async () => {
    const { relay, watched } = await start(await openWith('parts.mjs'));
    relay.send(go);
    expect(await watched.end).toEqual({ kind: 'frame-invalid', detail: 'it closed its socket and lived on' });
  });
});

describe('signal', () => {
  it('kills a relay that never yields, and delivers nothing after', async () => {
    const supervisor = await openWith('spinner.mjs');
    const { relay, watched, runDir } = await start(supervisor);
    relay.send(go);
    await eventually(() => readFileSync(join(runDir, 'attempts/1/stdout'), 'utf8') === 'spinning\n');
    relay.signal('SIGKILL', killed);
    expect(await watched.end).toEqual(killed);
    expect(livingMembers(relay.identity.pid)).toEqual([]);
  });

  it('delivers no frame after SIGKILL, not even one that has arrived', async () => {
    const { relay, watched } = await start(await openWith('garbage.mjs'));
    const frame = { tag: 'log', level: 'info', message: 'x', operation: null, fields: {} };
    // A hundred frames in one write, so that the host has them all when it kills at the first.
    relay.send({ tag: 'cancel', reason: Buffer.from(`${JSON.stringify(frame)}\n`.repeat(100)).toString('base64') });
    const first = watched.onFrame.bind(watched);
    watched.onFrame = (frame) => {
      first(frame);
      relay.signal('SIGKILL', killed);
    };
    expect(await watched.end).toEqual(killed);
    expect(watched.frames).toHaveLength(1);
  });

  it('keeps the cause of the first SIGKILL, and SIGTERM does not end the delivery', async () => {
    const { relay, watched } = await start(await openWith('ignores-sigterm.mjs'));
    relay.signal('SIGTERM', { kind: 'cancelled' });
    await watched.said('SIGTERM');
    expect(watched.ends).toEqual([]);
    relay.signal('SIGKILL', { kind: 'grace-over' });
    relay.signal('SIGKILL', killed);
    expect(await watched.end).toEqual({ kind: 'grace-over' });
  });

  it('takes the cause of a SIGTERM that the relay died of', async () => {
    const { relay, watched } = await start(await openWith('echo.mjs'));
    relay.signal('SIGTERM', { kind: 'cancelled' });
    expect(await watched.end).toEqual({ kind: 'cancelled' });
  });

  it('kills a stopped relay, and that is what it died of', async () => {
    const { relay, watched } = await start(await openWith('echo.mjs'));
    const point = { kind: 'crash-point', point: 'p', signal: 'SIGSTOP' } as const;
    relay.signal('SIGSTOP', point);
    await eventually(() => readFileSync(`/proc/${relay.identity.pid}/stat`, 'latin1').includes(') T'));
    relay.signal('SIGKILL', killed);
    expect(await watched.end).toEqual(killed);
  });

  it('does nothing once the process is gone', async () => {
    const { relay, watched } = await start(await openWith('echo.mjs'));
    relay.send({ tag: 'exit', code: 2 });
    await watched.end;
    relay.signal('SIGKILL', killed);
    expect(watched.ends).toEqual([{ kind: 'exit', code: 2 }]);
  });
});

describe('a process that cannot start', () => {
  it('rejects with the end of its stderr', async () => {
    const supervisor = await openWith('dies-early.mjs');
    const runDir = temporaryFolder();
    await expect(start(supervisor, { runDir })).rejects.toMatchObject({
      code: 'process-gone',
      message: expect.stringMatching(
        /^it exited with code 1 before its first frame; .*no such thing as a start/s,
      ) as string,
      facts: { cause: { kind: 'could-not-start' } },
    });
    expect(exitRecord(runDir)).toMatchObject({ cause: { kind: 'could-not-start' }, exitCode: 1 });
  });

  it('rejects when Node itself is not there', async () => {
    const supervisor = await openWith('echo.mjs', { execPath: '/nowhere/node', env: {} });
    await expect(start(supervisor)).rejects.toMatchObject({
      code: 'process-gone',
      message: 'spawn /nowhere/node ENOENT',
    });
  });

  it('rejects when a folder that it is to read is not there', async () => {
    const supervisor = await openWith('echo.mjs');
    await expect(start(supervisor, { readable: ['/nowhere'] })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('rejects when it says nothing for 20 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const supervisor = await openWith('silent.mjs');
      const refused = expect(start(supervisor)).rejects.toMatchObject({
        code: 'process-gone',
        message: 'it said no hello within 20 s',
      });
      await vi.advanceTimersByTimeAsync(20_000);
      vi.useRealTimers();
      await refused;
    } finally {
      vi.useRealTimers();
    }
  });

  it('rejects when the supervisor is closed while it starts', async () => {
    const supervisor = await openSupervisor({ sdk: join(programs, 'silent.mjs') });
    const refused = expect(start(supervisor)).rejects.toMatchObject({ facts: { cause: { kind: 'host-gone' } } });
    await supervisor.close();
    await refused;
    await expect(start(supervisor)).rejects.toMatchObject({ code: 'wrong-state' });
  });
});

describe('a member of the group beside the relay', () => {
  /** A stand-in for Node that leaves a child of its own beside the real one. */
  function nodeWith(beside: string): { execPath: string; env: Record<string, string> } {
    const execPath = join(temporaryFolder(), 'node');
    writeFileSync(execPath, `#!/bin/sh\n${beside}\nexec "${process.execPath}" "$@"\n`);
    chmodSync(execPath, 0o755);
    return { execPath, env: {} };
  }

  it('is dead before the end is reported', async () => {
    const supervisor = await openWith('echo.mjs', nodeWith('sleep 1000 &'));
    const { relay, watched } = await start(supervisor);
    await eventually(() => livingMembers(relay.identity.pid).length === 2);
    for (const pid of livingMembers(relay.identity.pid)) killAfterTest(identityOf(pid));
    let membersAtEnd: number[] | null = null;
    watched.atEnd = () => (membersAtEnd = livingMembers(relay.identity.pid));
    relay.send({ tag: 'exit', code: 0 });
    await watched.end;
    expect(membersAtEnd).toEqual([]);
  });

  it('that left the group and holds the output open does not hold the end back', async () => {
    const pidFile = join(temporaryFolder(), 'pid');
    const supervisor = await openWith('echo.mjs', nodeWith(`setsid sh -c 'echo $$ > ${pidFile}; exec sleep 1000' &`));
    const { relay, watched } = await start(supervisor);
    const holder = await eventually(() => existsSync(pidFile) && Number(readFileSync(pidFile, 'utf8')));
    killAfterTest(identityOf(holder));
    relay.send({ tag: 'exit', code: 0 });
    expect(await watched.end).toEqual({ kind: 'exit', code: 0 });
    expect(readProcess(holder)?.zombie).toBe(false);
  });
});

describe('output', () => {
  it('of a relay that floods is drained, kept up to the bound and marked', async () => {
    const supervisor = await openWith('flooder.mjs');
    let streamed = 0;
    const stop = supervisor.onOutput((piece) => {
      if (piece.stream !== 'stdout') return;
      expect(piece.offset).toBe(streamed);
      streamed += piece.bytes.length;
    });
    const { relay, watched, runDir } = await start(supervisor);
    relay.send(go);
    expect(await watched.end).toEqual({ kind: 'exit', code: 0 });
    stop();
    const cut = 100 * 1024 * 1024 - limits.outputBytes;
    const file = readFileSync(join(runDir, 'attempts/1/stdout'), 'utf8');
    expect(file.slice(limits.outputBytes)).toBe(
      `\n[recovery-lab: ${cut} bytes more were written and are cut; only the first ${limits.outputBytes} are kept]\n`,
    );
    expect(streamed).toBe(file.length);
    expect(readFileSync(join(runDir, 'attempts/1/stderr'), 'utf8')).toBe('done\n');
    expect(exitRecord(runDir)).toMatchObject({
      output: { stdout: { kept: limits.outputBytes, cut, lost: null }, stderr: { kept: 5, cut: 0, lost: null } },
    });
  });

  it('that cannot be kept is drained all the same, and the record says why it is lost', async () => {
    const runDir = temporaryFolder();
    mkdirSync(join(runDir, 'attempts/1/stdout'), { recursive: true });
    const { relay, watched } = await start(await openWith('flooder.mjs'), { runDir });
    relay.send(go);
    expect(await watched.end).toEqual({ kind: 'exit', code: 0 });
    expect(exitRecord(runDir)).toMatchObject({
      output: { stdout: { lost: expect.stringMatching(/EISDIR/) as string } },
    });
  });
});
