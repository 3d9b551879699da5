import type { Bindings } from './bindings.ts';
import type { EpochMs } from './clock.ts';
import type { EndCause } from './death.ts';
import type { LabErrorData, WireError } from './errors.ts';
import type { OperationKind } from './history.ts';
import type { Json } from './json.ts';
import type { OperationId } from './operation-id.ts';
import type { Outcome } from './outcome.ts';
import type { RunState } from './run-state.ts';

/** Who holds a run: the host's process, named so that a reused pid is not taken for it. */
export interface ProcessIdentity {
  readonly pid: number;
  /** The kernel's start time of the process, opaque text. */
  readonly startTime: string;
}

/** Under which claim a write is made. It changes a row only while the run is live and its epoch is still this one. */
export interface Claim {
  readonly run: string;
  readonly epoch: number;
}

export interface NewRun {
  readonly id: string;
  readonly relay: string;
  readonly caller: string;
  readonly durability: 'dbos' | 'none';
  /** JSON text. */
  readonly input: string;
  readonly bindings: Bindings;
  readonly attemptBudget: number;
  /** From the first start to the deadline. */
  readonly deadlineMs: number;
  readonly recovery: 'off' | 'immediate';
  /** The folder that the run was started from, when it tests a draft: recovery compares it with the release. */
  readonly draftFolder: string | null;
  readonly forkedFrom: { readonly run: string; readonly operation: OperationId } | null;
}

/** A point leaves `armed` once: it fires, it is withdrawn, or its attempt ends without having passed it. */
export const crashPointStates = ['armed', 'fired', 'missed', 'withdrawn'] as const;
export type CrashPointState = (typeof crashPointStates)[number];

/** `late-answer`: what a platform call gave when its process was gone already. Evidence, which changes nothing itself. */
export const receiptKinds = [
  'agent',
  'mcp',
  'tool',
  'admission',
  'vault',
  'reconciliation',
  'service',
  'late-answer',
] as const;
export type ReceiptKind = (typeof receiptKinds)[number];

export type Decision =
  | { readonly kind: 'accept'; readonly value: string }
  | { readonly kind: 'again' }
  | { readonly kind: 'fail'; readonly message: string };

/**
 * Every durable write, as data. A unit of them is one transaction: all happen or, when one is refused, none. Each writes
 * its event beside its change. The store gives events their sequence numbers and runs their revisions.
 */
export type LedgerWrite =
  | { readonly tag: 'run/create'; readonly at: EpochMs; readonly run: NewRun }
  /** Copies the checkpointed operations before `before` (with what is nested in them) into a forked run. */
  | {
      readonly tag: 'run/copy-history';
      readonly at: EpochMs;
      readonly from: string;
      readonly to: string;
      readonly before: OperationId;
    }
  /** queued → running: raises the epoch, opens the attempt, sets start and deadline at the first one. */
  | {
      readonly tag: 'run/claim';
      readonly at: EpochMs;
      readonly run: string;
      readonly revision: number;
      readonly holder: ProcessIdentity;
      readonly crashPlan: readonly { readonly point: string; readonly state: CrashPointState }[];
    }
  /** Moves a run along the state table. `epoch` or `revision`, where given, must still be the run's. */
  | {
      readonly tag: 'run/move';
      readonly at: EpochMs;
      readonly run: string;
      readonly epoch: number | null;
      readonly revision: number | null;
      readonly from: readonly RunState[];
      readonly to: RunState;
      /** Why, for a person; also "waiting for whom". Null clears it. */
      readonly reason: string | null;
      /** JSON text, with `succeeded`. */
      readonly result: string | null;
      /** With `failed`: the relay's own error, or the lab's. */
      readonly error: WireError | LabErrorData | null;
    }
  | {
      readonly tag: 'run/set-recovery';
      readonly at: EpochMs;
      readonly run: string;
      readonly revision: number;
      readonly recovery: 'off' | 'immediate';
    }
  | { readonly tag: 'run/lower-budget'; readonly at: EpochMs; readonly claim: Claim; readonly attemptBudget: number }
  | {
      readonly tag: 'attempt/spawned';
      readonly at: EpochMs;
      readonly claim: Claim;
      readonly attempt: number;
      readonly process: ProcessIdentity;
    }
  | {
      readonly tag: 'attempt/ended';
      readonly at: EpochMs;
      readonly run: string;
      readonly attempt: number;
      readonly cause: EndCause;
    }
  | {
      readonly tag: 'attempt/crash-point';
      readonly at: EpochMs;
      readonly run: string;
      readonly attempt: number;
      readonly index: number;
      readonly state: CrashPointState;
      /** The operation that it fired at; null for a point of the run, and in the other states. */
      readonly operation: OperationId | null;
    }
  /** Adds an armed point at the end of the plan of an attempt that has not ended. Its event tells its index. */
  | {
      readonly tag: 'attempt/arm';
      readonly at: EpochMs;
      readonly claim: Claim;
      readonly attempt: number;
      readonly point: string;
    }
  /** Records an intent, or records it again when the body runs again under a new attempt. */
  | {
      readonly tag: 'operation/intend';
      readonly at: EpochMs;
      readonly claim: Claim;
      readonly attempt: number;
      readonly id: OperationId;
      readonly kind: OperationKind;
      readonly name: string;
      readonly arguments: string | null;
      readonly repeatable: boolean;
      readonly source: string | null;
    }
  | {
      readonly tag: 'operation/checkpoint';
      readonly at: EpochMs;
      readonly claim: Claim;
      readonly attempt: number;
      readonly id: OperationId;
      readonly outcome: Outcome;
    }
  | {
      readonly tag: 'operation/reused';
      readonly at: EpochMs;
      readonly claim: Claim;
      readonly attempt: number;
      readonly id: OperationId;
      readonly diverged: boolean;
      readonly arguments: string | null;
    }
  /** One try of a step that retries, or of any body that failed. Kept as an event, all of them. */
  | {
      readonly tag: 'operation/try';
      readonly at: EpochMs;
      readonly claim: Claim;
      readonly attempt: number;
      readonly id: OperationId;
      readonly number: number;
      readonly error: WireError;
      /** Milliseconds until the next try; null when this was the last. */
      readonly retryInMs: number | null;
    }
  /** A person's decision on an uncertain operation: `accept` checkpoints, `again` allows one more run of the body. */
  | {
      readonly tag: 'operation/decide';
      readonly at: EpochMs;
      readonly run: string;
      readonly revision: number;
      readonly id: OperationId;
      readonly decision: Decision;
      readonly by: string;
    }
  /** The `recover` callback of a pending tool call could not tell: from now on only a person decides it. */
  | {
      readonly tag: 'operation/unsettled';
      readonly at: EpochMs;
      readonly claim: Claim;
      readonly attempt: number;
      readonly id: OperationId;
      readonly reason: string;
    }
  | {
      readonly tag: 'receipt/add';
      readonly at: EpochMs;
      readonly run: string;
      readonly attempt: number | null;
      readonly operation: OperationId | null;
      readonly kind: ReceiptKind;
      readonly name: string;
      readonly ok: boolean;
      readonly durationMs: number | null;
      readonly data: Json;
    }
  | {
      readonly tag: 'event/add';
      readonly at: EpochMs;
      readonly run: string;
      readonly type: 'log' | 'note';
      readonly attempt: number | null;
      readonly operation: OperationId | null;
      readonly data: Json;
    }
  | {
      readonly tag: 'permission/set';
      readonly at: EpochMs;
      readonly caller: string;
      readonly resource: string;
      readonly granted: boolean;
      readonly by: string;
      /** Leaves a permission that is there as it is: publishing a relay again must not undo a revocation. */
      readonly onlyIfAbsent: boolean;
    }
  | {
      readonly tag: 'artifact/add';
      readonly at: EpochMs;
      readonly run: string;
      /** Relative to the run's folder. */
      readonly path: string;
      readonly mediaType: string;
      readonly bytes: number;
      readonly sha256: string;
    }
  /** `sender` makes it idempotent: the same sending operation stores its message once. */
  | {
      readonly tag: 'message/send';
      readonly at: EpochMs;
      readonly workflow: string;
      readonly topic: string;
      readonly body: string;
      readonly sender: string;
    }
  /** Marks the oldest untaken message as taken by the receiving operation. */
  | { readonly tag: 'message/take'; readonly at: EpochMs; readonly message: number; readonly taker: string }
  | {
      readonly tag: 'workflow-event/set';
      readonly at: EpochMs;
      readonly workflow: string;
      readonly key: string;
      readonly value: string;
    }
  | {
      readonly tag: 'stream/append';
      readonly at: EpochMs;
      readonly workflow: string;
      readonly key: string;
      readonly value: string | null;
      readonly writer: string;
    };
