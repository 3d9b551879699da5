import type {
  EndCause,
  LabEvent,
  Operation,
  OperationId,
  OperationKind,
  ProcessIdentity,
  WireError,
} from '../../runtime/contract/index.ts';

/** What an operation did in one attempt. Times are milliseconds since 1970; `to` is null while it is at work. */
export interface Span {
  readonly attempt: number;
  readonly from: number;
  readonly to: number | null;
  /** Sequence numbers of the events that began and ended it: they order what one millisecond holds. */
  readonly begun: number;
  readonly ended: number | null;
  /** `cut`: its process died before it was done. */
  readonly outcome: 'open' | 'done' | 'failed' | 'reused' | 'cut';
  /** It was asked for with other arguments than those recorded. */
  readonly diverged: boolean;
}

export interface OperationHistory {
  readonly id: OperationId;
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
  readonly decision: {
    readonly decision: 'accept' | 'again' | 'fail';
    readonly by: string;
    readonly at: number;
  } | null;
  /** Its outcome was found out in a later attempt than the one that was cut, without its body: by a tool's callback. */
  readonly settled: { readonly attempt: number; readonly at: number } | null;
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
  /** The operation that it fired at; null before, and for a point of the run. */
  readonly operation: OperationId | null;
}

export interface AttemptHistory {
  readonly number: number;
  readonly process: ProcessIdentity | null;
  readonly claimedAt: number;
  readonly spawnedAt: number | null;
  readonly endedAt: number | null;
  /** Sequence numbers of the events behind these three times. */
  readonly claimed: number;
  readonly spawned: number | null;
  readonly ended: number | null;
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

/** A fork's history before its first event: the completed operations that were copied from the run it came of. */
export function copiedHistory(run: string, copied: readonly Operation[]): RunHistory {
  const operations = copied.map(({ id, kind, name, bodies, outcome }): OperationHistory => ({
    ...{ id, kind, name, bodies, spans: [], tries: [], receipts: 0, decision: null, settled: null },
    state: outcome?.ok === false ? 'failed' : 'done',
    error: outcome?.ok === false ? outcome.error.message : null,
  }));
  return { ...emptyHistory(run), operations, places: new Map(operations.map(({ id }, place) => [id, place])) };
}
