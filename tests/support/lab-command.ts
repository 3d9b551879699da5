import { execFile, spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../out/main/recovery-lab.js', import.meta.url));

export interface CommandEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The JSON objects of stdout, a line each. */
  readonly lines: readonly Record<string, unknown>[];
}

/** The built command on a data folder of its own, in real processes. */
export class LabCommand {
  readonly dataDir: string = mkdtempSync(join(tmpdir(), 'lab-'));

  /** Runs to its end. With `--json` and, unless told otherwise, the data folder added. */
  run(
    args: readonly string[],
    options: { input?: string; timeoutMs?: number; ownFolder?: boolean } = {},
  ): Promise<CommandEnd> {
    const folder = options.ownFolder === false ? [] : ['--data-dir', this.dataDir];
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [command, ...args, '--json', ...folder],
        { maxBuffer: 64 * 1024 * 1024, timeout: options.timeoutMs ?? 60_000, killSignal: 'SIGKILL' },
        (_error, stdout, stderr) => {
          const lines = stdout
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as Record<string, unknown>);
          resolve({ code: child.exitCode, signal: child.signalCode, stdout, stderr, lines });
        },
      );
      child.stdin?.end(options.input ?? '');
    });
  }

  /** Starts and leaves it running. */
  spawn(args: readonly string[]): ChildProcessByStdio<null, Readable, Readable> {
    return spawn(process.execPath, [command, ...args, '--json', '--data-dir', this.dataDir], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
