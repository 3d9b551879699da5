import type { Run, ToChild } from '../contract/index.ts';
import type { Claim, EndCause, EpochMs, LedgerWrite } from '../core/index.ts';
import type { CrashGate } from './crash-gate.ts';
import type { EngineParts } from './engine-parts.ts';
import type { OpenOperations } from './open-operations.ts';
import type { Release } from './ports.ts';
import type { RetryWaits } from './retry-waits.ts';
import type { RunFiles } from './run-files.ts';

/** What the parts of one attempt's execution share. */
export interface AttemptContext {
  readonly parts: EngineParts;
  readonly run: Run;
  readonly release: Release;
  readonly files: RunFiles;
  readonly gate: CrashGate;
  readonly open: OpenOperations;
  readonly retries: RetryWaits;
  /** Aborted when the attempt's process is gone. */
  readonly signal: AbortSignal;
  /** Nothing of this attempt may be written or answered any more. */
  isOver(): boolean;
  commit(unit: readonly LedgerWrite[], lazy?: boolean): Promise<void>;
  /** Writes on which nobody waits. */
  keep(unit: readonly LedgerWrite[]): void;
  send(frame: ToChild): void;
  /** Ends the attempt's process at once. */
  end(cause: EndCause): void;
}

/** What every write of an attempt says of itself: when, under which claim, by which attempt. */
export function stamp({ parts, run }: { readonly parts: Pick<EngineParts, 'clock'>; readonly run: Run }): {
  readonly at: EpochMs;
  readonly claim: Claim;
  readonly attempt: number;
} {
  return { at: parts.clock.now(), claim: { run: run.id, epoch: run.epoch }, attempt: run.attempts };
}
