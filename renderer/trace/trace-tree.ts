import { describeEnd, parentId, type Receipt } from '../../runtime/contract/index.ts';
import { duration } from '../design/words.ts';
import type { AttemptHistory, OperationHistory, RunHistory, Span, Try } from '../history/run-history.ts';

/** A line of the trace. Times are milliseconds since 1970; `to` is null while it goes on, and equal to `from` at a moment. */
export interface TraceNode {
  /** Unique in the run, and the same as long as the line stands. */
  readonly key: string;
  readonly kind: 'attempt' | 'operation' | 'try' | 'receipt';
  readonly name: string;
  readonly detail: string;
  readonly look: 'done' | 'reused' | 'failed' | 'open' | 'kill' | 'quiet';
  readonly from: number;
  readonly to: number | null;
  /** The operation that it is, or belongs to. */
  readonly operation: string | null;
  readonly children: readonly TraceNode[];
}

/** The run as a tree: attempts, the operations of each, in them nested ones, failed tries and receipts, by time. */
export function traceTree(history: RunHistory, receipts: readonly Receipt[]): TraceNode[] {
  const byOperation = Map.groupBy(receipts, ({ attempt, operation }) => `${attempt ?? ''} ${operation ?? ''}`);
  const loose = receipts.filter(({ attempt, operation }) => attempt === null && operation === null);
  const spans = Map.groupBy(
    history.operations.flatMap((operation) => operation.spans.map((span) => ({ operation, span }))),
    ({ span }) => span.attempt,
  );
  const attempts = history.attempts.map((attempt) =>
    attemptNode(attempt, spans.get(attempt.number) ?? [], byOperation),
  );
  // A decision on an operation is recorded between attempts.
  const decisions = receipts.filter(({ attempt, operation }) => attempt === null && operation !== null);
  return byTime([...attempts, ...loose.map(receiptNode), ...decisions.map(receiptNode)]);
}

interface Begun {
  readonly operation: OperationHistory;
  readonly span: Span;
}

type Receipts = ReadonlyMap<string, readonly Receipt[]>;

function attemptNode(attempt: AttemptHistory, begun: readonly Begun[], receipts: Receipts): TraceNode {
  const { number, process, cause, claimedAt, endedAt } = attempt;
  const here = new Set<string>(begun.map(({ operation }) => operation.id));
  const inside = Map.groupBy(begun, ({ operation }) => {
    const parent = parentId(operation.id);
    return parent !== null && here.has(parent) ? parent : null;
  });
  const operationsIn = (parent: string | null): TraceNode[] =>
    (inside.get(parent as OperationHistory['id'] | null) ?? []).map((one, place, all) => {
      const { id } = one.operation;
      // A tool may be run and reused in one attempt: what belongs to it stands below the first.
      const isFirst = all.findIndex(({ operation }) => operation.id === id) === place;
      return operationNode(
        one,
        isFirst ? (receipts.get(`${number} ${id}`) ?? []) : [],
        isFirst ? operationsIn(id) : [],
      );
    });
  // Also of an operation that was settled, or could not be, without coming to it again.
  const own = [...receipts].flatMap(([key, kept]) => {
    const [of, operation = ''] = key.split(' ');
    return of === `${number}` && !here.has(operation) ? kept.map(receiptNode) : [];
  });
  const pid = process === null ? 'no process yet' : `pid ${process.pid}`;
  return {
    ...{
      key: `attempt ${number}`,
      kind: 'attempt',
      name: `attempt ${number}`,
      from: claimedAt,
      to: endedAt,
      operation: null,
    },
    detail: cause === null ? pid : `${pid} · ${describeEnd(cause)}`,
    look: cause === null ? 'open' : cause.kind === 'finished' ? 'done' : 'kill',
    children: byTime([...operationsIn(null), ...own]),
  };
}

const looks = { open: 'open', done: 'done', failed: 'failed', reused: 'reused', cut: 'kill' } as const;

function operationNode({ operation, span }: Begun, receipts: readonly Receipt[], nested: TraceNode[]): TraceNode {
  const { id, kind, name, error } = operation;
  const key = `attempt ${span.attempt} operation ${id} ${span.begun}`;
  const tries = operation.tries.filter(({ attempt, at }) => attempt === span.attempt && at >= span.from);
  const details = [
    span.outcome === 'reused' ? 'reused' : span.outcome === 'cut' ? 'its process died' : '',
    span.outcome === 'failed' ? (error ?? 'failed') : '',
    span.diverged ? 'asked with other arguments than recorded' : '',
  ];
  return {
    ...{ key, kind: 'operation', name: `${id} ${name}`, look: looks[span.outcome], from: span.from, to: span.to },
    detail: [kind, ...details].filter(Boolean).join(' · '),
    operation: id,
    children: byTime([...nested, ...tries.map((one) => tryNode(key, id, one)), ...receipts.map(receiptNode)]),
  };
}

function tryNode(key: string, operation: string, { number, error, retryInMs, at }: Try): TraceNode {
  const next = retryInMs === null ? 'the last' : `next in ${duration(retryInMs)}`;
  return {
    ...{ key: `${key} try ${number}`, kind: 'try', name: `try ${number} failed`, look: 'failed', from: at, to: at },
    detail: `${error.name}: ${error.message} · ${next}`,
    ...{ operation, children: [] },
  };
}

function receiptNode({ id, kind, name, ok, at, durationMs, operation }: Receipt): TraceNode {
  return {
    ...{ key: `receipt ${id}`, kind: 'receipt', name: `${kind} ${name}`, operation, children: [] },
    ...{ from: at - (durationMs ?? 0), to: at, look: ok ? 'quiet' : 'failed' },
    detail: ok ? 'receipt' : kind === 'admission' ? 'receipt · denied' : 'receipt · failed',
  };
}

function byTime(nodes: readonly TraceNode[]): TraceNode[] {
  return nodes.toSorted((a, b) => a.from - b.from);
}
