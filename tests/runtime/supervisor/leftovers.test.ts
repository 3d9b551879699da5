import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ProcessIdentity } from '../../../runtime/core/index.ts';
import { openSupervisor } from '../../../runtime/supervisor/index.ts';
import { keeperScript } from '../../../runtime/supervisor/keeper-script.ts';
import { Keeper } from '../../../runtime/supervisor/keeper.ts';
import { isAlive, readFromPs, readProcess } from '../../../runtime/supervisor/process-facts.ts';
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

/** A process that leads its group and sleeps; killed after the test whatever happens. */
function sleeper(): ChildProcess & { readonly pid: number } {
  const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child as ChildProcess & { readonly pid: number };
}

/** Pids of keepers whose host is this test's process. */
function keepersOf(host: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => line.includes('recovery-lab-keeper'))
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === host)
    .map(([pid]) => pid ?? 0);
}

/** The low bits of a process's mask of ignored signals. */
function ignoredSignals(pid: number): number {
  const mask = /^SigIgn:\s*[0-9a-f]*?([0-9a-f]{1,8})$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  return Number.parseInt(mask?.[1] ?? '0', 16);
}

describe('a host that is killed', () => {
  it('leaves nothing alive, while its relays spin', async () => {
    const folders = [0, 1, 2].map((n) => join(temporaryFolder(), String(n)));
    for (const folder of folders) mkdirSync(folder);
    const host = spawn(process.execPath, [join(programs, 'host-with-spinners.mjs'), ...folders], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void host.kill('SIGKILL'));
    const relays: ProcessIdentity[] = [];
    for await (const line of createInterface(host.stdout)) {
      if (relays.push(JSON.parse(line) as ProcessIdentity) === folders.length) break;
    }
    relays.forEach(killAfterTest);
    const [keeper] = keepersOf(host.pid ?? 0);
    expect(relays.map(isAlive)).toEqual([true, true, true]);
    expect(keeper).toBeDefined();
    host.kill('SIGKILL');
    await eventually(() => relays.every((relay) => !isAlive(relay)));
    await eventually(() => readProcess(keeper ?? 0)?.zombie !== false);
  });
});

describe('the keeper', () => {
  it('is replaced when it dies, and the new one guards the groups of the old', async () => {
    const keeper = await Keeper.start();
    onTestFinished(() => keeper.close());
    const child = sleeper();
    await keeper.guard(identityOf(child.pid));
    const first = keeper.pid ?? 0;
    process.kill(first, 'SIGKILL');
    await eventually(() => keeper.pid !== first);
    const ended = once(child, 'exit');
    await keeper.close();
    await ended;
    expect(child.signalCode).toBe('SIGKILL');
  });

  it('takes a group that is handed over in the moment of its death', async () => {
    const keeper = await Keeper.start();
    onTestFinished(() => keeper.close());
    const child = sleeper();
    const first = keeper.pid ?? 0;
    process.kill(first, 'SIGKILL');
    await keeper.guard(identityOf(child.pid));
    await eventually(() => keeper.pid !== first);
    const ended = once(child, 'exit');
    await keeper.close();
    await ended;
    expect(child.signalCode).toBe('SIGKILL');
  });

  it('spares groups that were released', async () => {
    const keeper = await Keeper.start();
    const [released, guarded] = [sleeper(), sleeper()];
    for (const child of [released, guarded]) await keeper.guard(identityOf(child.pid));
    keeper.release(released.pid);
    const ended = once(guarded, 'exit');
    await keeper.close();
    await ended;
    expect(isAlive(identityOf(released.pid))).toBe(true);
  });

  it.each(['proc', 'ps'])(
    'spares a stranger that got the number of a guarded group (start times from %s)',
    async (source) => {
      const [stranger, mine] = [sleeper(), sleeper()];
      const read = source === 'proc' ? readProcess : readFromPs;
      const startTime = read(mine.pid)?.startTime ?? '';
      const other = source === 'proc' ? startTime.replace(/^\d+/, '1') : startTime.replace(/\d{4}$/, '1999');
      const input = `+ ${stranger.pid} ${other}\n+ ${mine.pid} ${startTime}\n`;
      spawnSync('/bin/sh', ['-c', keeperScript, 'keeper', source], { input });
      await eventually(() => readProcess(mine.pid)?.zombie !== false);
      expect(readProcess(stranger.pid)?.zombie).toBe(false);
    },
  );

  it('ignores the signals of a terminal', async () => {
    const keeper = await Keeper.start();
    const first = keeper.pid ?? 0;
    // Bits of HUP, INT, QUIT, TERM and TSTP: the shell has come so far as to ignore them.
    const ignored = 0x84007;
    await eventually(() => (ignoredSignals(first) & ignored) === ignored);
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGQUIT'] as const) process.kill(first, signal);
    const child = sleeper();
    await keeper.guard(identityOf(child.pid));
    const ended = once(child, 'exit');
    await keeper.close();
    await ended;
    expect(keeper.pid).toBe(first);
  });
});

describe('endLeftover', () => {
  it('ends the group of that very process and waits until it is empty', async () => {
    const supervisor = await openWith('echo.mjs');
    const child = sleeper();
    const identity = identityOf(child.pid);
    expect(supervisor.isAlive(identity)).toBe(true);
    await supervisor.endLeftover(identity);
    expect(supervisor.isAlive(identity)).toBe(false);
  });

  it('leaves a process alone that got the pid later', async () => {
    const supervisor = await openWith('echo.mjs');
    const { pid, startTime } = identityOf(sleeper().pid);
    const before = { pid, startTime: startTime.replace(/^\d+/, (ticks) => String(Number(ticks) - 1)) };
    expect(supervisor.isAlive(before)).toBe(false);
    await supervisor.endLeftover(before);
    expect(isAlive({ pid, startTime })).toBe(true);
  });

  it('leaves a process alone that ran before the machine was started again', async () => {
    const supervisor = await openWith('echo.mjs');
    const { pid, startTime } = identityOf(sleeper().pid);
    await supervisor.endLeftover({ pid, startTime: startTime.replace(/@.*/, '@another-boot') });
    expect(isAlive({ pid, startTime })).toBe(true);
  });

  it('does nothing when the process is gone', async () => {
    const supervisor = await openWith('echo.mjs');
    await supervisor.endLeftover({ pid: 2 ** 22 + 1, startTime: '1@x' });
  });

  it('refuses to kill a process that does not lead its group', async () => {
    const supervisor = await openWith('echo.mjs');
    const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const identity = identityOf(child.pid ?? 0);
    await expect(supervisor.endLeftover(identity)).rejects.toMatchObject({ code: 'internal' });
    expect(isAlive(identity)).toBe(true);
  });
});

describe('close', () => {
  it('ends twenty relays that spin and reports each end once', async () => {
    const supervisor = await openSupervisor({ sdk: join(programs, 'spinner.mjs') });
    const started = await Promise.all(Array.from({ length: 20 }, (_, n) => start(supervisor, { run: `run-${n}` })));
    expect(new Set(started.map((one) => one.relay.identity.pid)).size).toBe(20);
    for (const { relay } of started) relay.send(go);
    await supervisor.close();
    expect(started.map((one) => one.watched.ends)).toEqual(started.map(() => [{ kind: 'host-gone' }]));
    expect(started.filter((one) => isAlive(one.relay.identity))).toEqual([]);
    expect(keepersOf(process.pid)).toEqual([]);
  });

  it('leaves no timer and no handle, so that the host ends by itself', async () => {
    const folders = [0, 1, 2].map(() => temporaryFolder());
    const host = spawn(process.execPath, [join(programs, 'host-that-closes.mjs'), ...folders], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void host.kill('SIGKILL'));
    const exited = once(host, 'exit');
    const { before, after } = JSON.parse(await text(host.stdout)) as Record<'before' | 'after', string[]>;
    expect(after).toEqual(before);
    expect(await exited).toEqual([0, null]);
  });
});
