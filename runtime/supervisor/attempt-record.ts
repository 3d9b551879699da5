import { mkdirSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EndCause, ProcessIdentity } from '../core/index.ts';
import type { OutputSummary } from './output-capture.ts';

/** `attempts/<n>/exit.json`: how an attempt's process ended. */
export interface ExitRecord {
  readonly run: string;
  readonly attempt: number;
  readonly process: ProcessIdentity;
  readonly cause: EndCause;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly endedAt: number;
  readonly output: { readonly stdout: OutputSummary; readonly stderr: OutputSummary };
  /** Members of its group that SIGKILL did not end in time: they hang in the kernel. */
  readonly left: readonly number[];
}

/** Makes `attempts/<n>` of a run and returns its path. */
export function makeAttemptFolder(runDir: string, attempt: number): string {
  const folder = join(runDir, 'attempts', String(attempt));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Temp-then-rename, so that a reader finds it whole or not at all. */
export async function writeExitRecord(folder: string, record: ExitRecord): Promise<void> {
  const temporary = join(folder, '.exit.json.tmp');
  await writeFile(temporary, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, join(folder, 'exit.json'));
}
