import { toSortKey, type EventData, type EventType, type LabEvent } from '../../runtime/contract/index.ts';
import type { AttemptHistory, OperationHistory, PointHistory, RunHistory, Span } from './run-history.ts';

type Draft<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer One)[] ? One[] : T[K] };

/** A run's history while one page of events is taken: every array is copied once a page, every row when it changes. */
interface Work {
  readonly attempts: AttemptHistory[];
  readonly operations: OperationHistory[];
  readonly places: Map<string, number>;
  createdAt: number | null;
  /** An operation came whose place is not the last. */
  unsorted: boolean;
}

/**
 * Takes the next events of a run. Those that are known already are passed over, so that a page that overlaps does no
 * harm; one that leaves a gap throws, for then something was lost on the way.
 */
export function foldEvents(history: RunHistory, events: readonly LabEvent[]): RunHistory {
  const fresh = events.filter(({ sequence }) => sequence > history.lastSequence);
  const [first] = fresh;
  const last = fresh.at(-1);
  if (first === undefined || last === undefined) return history;
  if (first.sequence !== history.lastSequence + 1) {
    throw new Error(`events of run ${history.run} go on with ${first.sequence} after ${history.lastSequence}`);
  }
  const work: Work = {
    attempts: [...history.attempts],
    operations: [...history.operations],
    places: new Map(history.places),
    createdAt: history.createdAt,
    unsorted: false,
  };
  for (const event of fresh) takers[event.type]?.(work, event, event.data as never);
  if (work.unsorted) sort(work);
  return {
    run: history.run,
    lastSequence: last.sequence,
    events: [...history.events, ...fresh],
    attempts: work.attempts,
    operations: work.operations,
    places: work.places,
    createdAt: work.createdAt,
  };
}

type Taker<Type extends EventType> = (work: Work, event: LabEvent, data: EventData<Type>) => void;

/** What each type of event says of attempts and operations. Types that say nothing of them are not here. */
const takers: { readonly [Type in EventType]?: Taker<Type> } = {
  'run.created': (work, { at }) => void (work.createdAt = at),
  'run.claimed': (work, { attempt, at, sequence }) => {
    if (attempt === null) return;
    work.attempts.push({
      ...{ number: attempt, claimedAt: at, claimed: sequence, process: null, spawnedAt: null, spawned: null },
      ...{ endedAt: null, ended: null, cause: null, points: [], reused: 0 },
    });
  },
  'attempt.spawned': (work, event, { pid, startTime }) =>
    changeAttempt(work, event.attempt, (draft) => {
      draft.process = { pid, startTime };
      draft.spawnedAt = event.at;
      draft.spawned = event.sequence;
    }),
  'attempt.ended': (work, event, { cause }) => {
    changeAttempt(work, event.attempt, (draft) => {
      draft.endedAt = event.at;
      draft.ended = event.sequence;
      draft.cause = cause;
    });
    cutOpenSpans(work, event);
  },
  'crash-point.armed': takePoint('armed'),
  'crash-point.fired': takePoint('fired'),
  'crash-point.missed': takePoint('missed'),
  'crash-point.withdrawn': takePoint('withdrawn'),
  'operation.intended': (work, event, { kind, name, bodies }) => {
    const { operation: id, attempt, at, sequence } = event;
    if (id === null || attempt === null) return;
    const span: Span = { attempt, from: at, to: null, begun: sequence, ended: null, outcome: 'open', diverged: false };
    if (!work.places.has(id)) {
      const before = work.operations.at(-1);
      work.unsorted ||= before !== undefined && toSortKey(before.id) > toSortKey(id);
      work.places.set(id, work.operations.length);
      work.operations.push({
        ...{ id, kind, name, bodies, state: 'open', spans: [span], tries: [], receipts: 0 },
        ...{ decision: null, settled: null, error: null },
      });
      return;
    }
    changeOperation(work, id, (draft) => {
      draft.bodies = bodies;
      draft.state = 'open';
      draft.spans = [...draft.spans, span];
    });
  },
  'operation.checkpointed': (work, event, data) =>
    changeOperation(work, event.operation, (draft) => {
      draft.state = data.ok ? 'done' : 'failed';
      draft.error = data.ok ? null : data.error;
      const { attempt, at } = event;
      if (attempt !== null && draft.spans.at(-1)?.to != null) draft.settled = { attempt, at };
      closeSpan(draft, event, data.ok ? 'done' : 'failed');
    }),
  'operation.reused': (work, event, { diverged }) => {
    const { attempt, at, sequence } = event;
    if (attempt === null) return;
    const when = { from: at, to: at, begun: sequence, ended: sequence };
    changeOperation(work, event.operation, (draft) => {
      draft.spans = [...draft.spans, { attempt, ...when, outcome: 'reused', diverged }];
    });
    changeAttempt(work, attempt, (draft) => void (draft.reused += 1));
  },
  'operation.try': (work, event, { number, error, retryInMs }) =>
    changeOperation(work, event.operation, (draft) => {
      draft.tries = [...draft.tries, { attempt: event.attempt ?? 0, at: event.at, number, error, retryInMs }];
    }),
  'operation.decided': (work, event, { decision, by }) =>
    changeOperation(work, event.operation, (draft) => {
      draft.decision = { decision, by, at: event.at };
      // An accepted value is the operation's result; the other decisions leave it without one.
      if (decision === 'accept') draft.state = 'done';
    }),
  'receipt.added': (work, event) => changeOperation(work, event.operation, (draft) => void (draft.receipts += 1)),
};

function takePoint(state: PointHistory['state']) {
  return (work: Work, event: LabEvent, { index, point }: { index: number; point: string }): void =>
    changeAttempt(work, event.attempt, (draft) => {
      const others = draft.points.filter((one) => one.index !== index);
      const row = { index, point, state, at: event.at, operation: state === 'fired' ? event.operation : null };
      draft.points = [...others, row].sort((a, b) => a.index - b.index);
    });
}

/** Nothing of a dead attempt is at work any more. */
function cutOpenSpans(work: Work, event: LabEvent): void {
  for (const { id, state, spans } of work.operations) {
    const last = spans.at(-1);
    if (last?.attempt !== event.attempt || last.to !== null) continue;
    changeOperation(work, id, (draft) => {
      if (state === 'open') draft.state = 'cut';
      closeSpan(draft, event, 'cut');
    });
  }
}

function closeSpan(draft: Draft<OperationHistory>, { at, sequence }: LabEvent, outcome: Span['outcome']): void {
  const last = draft.spans.at(-1);
  if (last?.to !== null) return;
  draft.spans = [...draft.spans.slice(0, -1), { ...last, to: at, ended: sequence, outcome }];
}

function changeAttempt(work: Work, number: number | null, change: (draft: Draft<AttemptHistory>) => void): void {
  const place = work.attempts.findIndex((one) => one.number === number);
  const found = work.attempts[place];
  if (found === undefined) return;
  const draft: Draft<AttemptHistory> = { ...found, points: [...found.points] };
  change(draft);
  work.attempts[place] = draft;
}

function changeOperation(work: Work, id: string | null, change: (draft: Draft<OperationHistory>) => void): void {
  const place = id === null ? undefined : work.places.get(id);
  const found = place === undefined ? undefined : work.operations[place];
  if (place === undefined || found === undefined) return;
  const draft: Draft<OperationHistory> = { ...found, spans: [...found.spans], tries: [...found.tries] };
  change(draft);
  work.operations[place] = draft;
}

/** Program order: operations that run side by side may be begun in another one. */
function sort(work: Work): void {
  const keyed = work.operations.map((row) => ({ row, key: toSortKey(row.id) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
  keyed.forEach(({ row }, place) => {
    work.operations[place] = row;
    work.places.set(row.id, place);
  });
}
