import { isTerminal, type Run } from '../../runtime/contract/index.ts';
import type { OperationHistory, RunHistory } from './run-history.ts';

/** Why a run stands where it stands, told from its evidence rather than from its last status. */
export type Progress =
  | { readonly kind: 'over' | 'queued' | 'interrupted' | 'reconciliation' | 'cancelling' }
  /** An attempt was claimed; its relay has not begun anything. */
  | { readonly kind: 'starting'; readonly since: number }
  | { readonly kind: 'working'; readonly operations: readonly OperationHistory[]; readonly since: number }
  /** The relay's own code is at work, between operations. */
  | { readonly kind: 'between'; readonly since: number }
  | {
      readonly kind: 'retrying';
      readonly operation: OperationHistory;
      readonly nextTry: number;
      readonly at: number;
      readonly error: string;
    }
  | { readonly kind: 'person' | 'message' | 'sleep'; readonly operation: OperationHistory; readonly since: number }
  /** Nothing has been heard for long. `operation` is the one that was begun last and is open. */
  | { readonly kind: 'stuck'; readonly operation: OperationHistory | null; readonly since: number };

/** After this many milliseconds without an event a run that is at work is said to make no progress. */
const silenceMs = 10_000;

const waits = { ask: 'person', recv: 'message', sleep: 'sleep' } as const;

const standing: { readonly [State in Run['state']]?: Progress['kind'] & ('queued' | 'interrupted' | 'cancelling') } = {
  queued: 'queued',
  interrupted: 'interrupted',
  cancel_requested: 'cancelling',
};

export function progressOf(state: Run['state'], history: RunHistory, now: number): Progress {
  if (isTerminal(state)) return { kind: 'over' };
  if (state === 'needs_reconciliation') return { kind: 'reconciliation' };
  const kind = standing[state];
  if (kind !== undefined) return { kind };
  const attempt = history.attempts.at(-1);
  const lastAt = history.events.at(-1)?.at ?? now;
  const open = history.operations.filter(({ state: its }) => its === 'open');
  const working = open.filter(({ kind: its }) => !(its in waits));
  const retrying = working.map((operation) => retry(operation, now)).find((one) => one !== null);
  if (retrying !== undefined && working.length === 1) return retrying;
  const [begun] = working.toSorted((a, b) => startOf(b) - startOf(a));
  const waiting = open.find(({ kind: its }) => its in waits);
  if (begun === undefined && waiting !== undefined) {
    return { kind: waits[waiting.kind as keyof typeof waits], operation: waiting, since: startOf(waiting) };
  }
  if (now - lastAt > silenceMs) return { kind: 'stuck', operation: begun ?? null, since: lastAt };
  if (begun !== undefined) return { kind: 'working', operations: working, since: startOf(begun) };
  const isIdle =
    attempt === undefined || history.operations.every(({ spans }) => spans.at(-1)?.attempt !== attempt.number);
  return isIdle ? { kind: 'starting', since: attempt?.claimedAt ?? lastAt } : { kind: 'between', since: lastAt };
}

function startOf({ spans }: OperationHistory): number {
  return spans.at(-1)?.from ?? 0;
}

/** That the operation waits for its next try; null when it does not. */
function retry(operation: OperationHistory, now: number): Extract<Progress, { kind: 'retrying' }> | null {
  const last = operation.tries.at(-1);
  if (last?.retryInMs == null || last.attempt !== operation.spans.at(-1)?.attempt) return null;
  const at = last.at + last.retryInMs;
  return at <= now ? null : { kind: 'retrying', operation, nextTry: last.number + 1, at, error: last.error.message };
}
