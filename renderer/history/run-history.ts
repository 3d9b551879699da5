import type { EndCause, LabEvent, OperationKind, ProcessIdentity, WireError } from '../../runtime/contract/index.ts';

/** What an operation did in one attempt. Times are milliseconds since 1970; `to` is null while it is at work. */
export interface Span {
  readonly attempt: number;
  readonly from: number;
  readonly to: number | null;
  /** `cut`: its process died before it was done. */
  readonly outcome: 'open' | 'done' | 'failed' | 'reused' | 'cut';
  /** It was asked for with other arguments than those recorded. */
  readonly diverged: boolean;
}

export interface OperationHistory {
  readonly id: string;
  readonly kind: OperationKind;
  readonly name: string;
  /** How many times a body was begun, over all attempts. */
  readonly bodies: number;
  /** `open`: at work in a living attempt. `cut`: begun, no checkpoint, its process is gone. */
  readonly state: 'open' | 'done' | 'failed' | 'cut';
  readonly spans: readonly Span[];
  readonly tries: readonly Try[];
  readonly receipts: number;
  /** The person's decision on it while it was uncertain. */
  readonly decision: { readonly decision: 'accept' | 'again' | 'fail'; readonly by: string; readonly at: number } | null;
  /** The error in one line, when it ended with one. */
  readonly error: string | null;
}

export interface Try {
  readonly attempt: number;
  readonly at: number;
  readonly number: number;
  readonly error: WireError;
  readonly retryInMs: number | null;
}

export interface PointHistory {
  readonly index: number;
  readonly point: string;
  readonly state: 'armed' | 'fired' | 'missed' | 'withdrawn';
  readonly at: number;
}

export interface AttemptHistory {
  readonly number: number;
  readonly process: ProcessIdentity | null;
  readonly claimedAt: number;
  readonly spawnedAt: number | null;
  readonly endedAt: number | null;
  readonly cause: EndCause | null;
  readonly points: readonly PointHistory[];
  readonly reused: number;
}

/** A run as its events tell it: the one model behind timeline, table, comparison and inspector. */
export interface RunHistory {
  readonly run: string;
  readonly lastSequence: number;
  readonly events: readonly LabEvent[];
  readonly attempts: readonly AttemptHistory[];
  /** In program order. */
  readonly operations: readonly OperationHistory[];
  /** Place of each operation in `operations`. */
  readonly places: ReadonlyMap<string, number>;
  readonly createdAt: number | null;
}

export function emptyHistory(run: string): RunHistory {
  return { run, lastSequence: 0, events: [], attempts: [], operations: [], places: new Map(), createdAt: null };
}
