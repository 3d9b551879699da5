import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { LabError, type ProcessIdentity } from '../core/index.ts';
import { keeperScript } from './keeper-script.ts';

/** A keeper that lived this long had no fault of its own: the next one starts without a pause. */
const soundAfterMs = 10_000;
const longestPauseMs = 1000;

/**
 * The process that kills the groups which its host leaves behind, the moment the host is gone. It leads a session of
 * its own, so nothing that is sent to the host's terminal reaches it. Only the host holds the other end of its input
 * (close-on-exec), so the kernel's end-of-file is the message that the host has died.
 */
export class Keeper {
  readonly #guarded = new Map<number, string>();
  /** Callers whose line went to a keeper that was dying; the next one is handed every group. */
  #waiting: (() => void)[] = [];
  #shell: ChildProcess;
  #shellStartedAt = performance.now();
  #failures = 0;
  #closing = false;

  private constructor(shell: ChildProcess) {
    this.#shell = shell;
    this.#watch(shell);
  }

  static async start(): Promise<Keeper> {
    const shell = startShell();
    try {
      await once(shell, 'spawn');
    } catch (thrown) {
      throw new LabError(
        'internal',
        `the keeper could not start: /bin/sh, expected on every system, gave "${String(thrown)}"`,
        'Check that /bin/sh is there and that this account may start one more process (ulimit -u).',
      );
    }
    return new Keeper(shell);
  }

  get pid(): number | undefined {
    return this.#shell.pid;
  }

  /** Resolves once a living keeper was told to guard this process's group. */
  guard(leader: ProcessIdentity): Promise<void> {
    const line = `+ ${leader.pid} ${leader.startTime}\n`;
    this.#guarded.set(leader.pid, line);
    return this.#tell(line);
  }

  /** The group is empty: its number may be a stranger's from now on. */
  release(group: number): void {
    if (this.#guarded.delete(group)) void this.#tell(`- ${group}\n`);
  }

  /** Ends the keeper, which kills what it still guards, and waits until it is gone. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#resolveWaiting();
    const shell = this.#shell;
    shell.stdin?.end();
    if (shell.exitCode === null && shell.signalCode === null) await once(shell, 'exit');
  }

  #tell(text: string): Promise<void> {
    const { stdin } = this.#shell;
    return new Promise((resolve) => {
      if (this.#closing || stdin === null) resolve();
      else {
        stdin.write(text, (error) => {
          if (error && !this.#closing) this.#waiting.push(resolve);
          else resolve();
        });
      }
    });
  }

  #watch(shell: ChildProcess): void {
    // A write to a keeper that has just died fails; its exit, which follows, is what is acted on.
    shell.stdin?.on('error', () => {});
    shell.once('error', () => void this.#replace());
    shell.once('exit', () => void this.#replace());
  }

  async #replace(): Promise<void> {
    if (this.#closing) return;
    this.#failures = performance.now() - this.#shellStartedAt > soundAfterMs ? 0 : this.#failures + 1;
    if (this.#failures > 1) await delay(Math.min(10 * 2 ** this.#failures, longestPauseMs));
    if (this.#isClosing()) return;
    this.#shellStartedAt = performance.now();
    this.#shell = startShell();
    this.#watch(this.#shell);
    await this.#tell([...this.#guarded.values()].join(''));
    this.#resolveWaiting();
  }

  /** Read again after a pause, in which it may have been closed. */
  #isClosing(): boolean {
    return this.#closing;
  }

  #resolveWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

function startShell(): ChildProcess {
  const source = process.platform === 'linux' ? 'proc' : 'ps';
  return spawn('/bin/sh', ['-c', keeperScript, 'recovery-lab-keeper', source], {
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}
