import type { EventData, EventType, LabEvent, OperationKind } from '../../runtime/contract/index.ts';

/** What fills the time between two edges of a run's clock. */
export type Fill =
  /** An operation is at work. */
  | 'work'
  /** An attempt was claimed and has not begun its first operation: in the queue, starting, loading. */
  | 'start'
  /** Only operations that wait are open: a sleep, a question, a message, the time between two tries. */
  | 'wait'
  /** The process lives and no operation is open: the relay's own code. */
  | 'between'
  /** No process lives. */
  | 'rest';

/** The moments of a run at which something begins or ends, in order; the clock is made of them. */
export interface ClockEdges {
  /**
   * Milliseconds since 1970, strictly rising. Several events of one millisecond are spread over it in their order, so
   * that what came first is drawn first.
   */
  readonly moments: readonly number[];
  /** What fills the time from each edge to the next; of the last one, to now. */
  readonly fills: readonly Fill[];
  /** Whether the time from an edge to the next is one short operation, whole: it must stay visible. */
  readonly short: readonly boolean[];
  /** The edge of each event, by its sequence number minus 1; for one that is no edge, that before it. */
  readonly ofEvent: Int32Array;
  /** When the wait after the last edge is over, if that is known. */
  readonly wakesAt: number | null;
}

const edgeTypes: ReadonlySet<EventType> = new Set<EventType>([
  ...(['run.created', 'run.claimed', 'attempt.spawned', 'attempt.ended'] as const),
  ...(['operation.intended', 'operation.checkpointed', 'operation.reused', 'operation.try'] as const),
]);
const waitingKinds: ReadonlySet<OperationKind> = new Set<OperationKind>(['sleep', 'ask', 'recv']);

export function clockEdges(events: readonly LabEvent[]): ClockEdges {
  const moments: number[] = [];
  const fills: Fill[] = [];
  const short: boolean[] = [];
  const ofEvent = new Int32Array(events.length);
  const state = new OpenOperations();
  let latest = -Infinity;
  let before: LabEvent | null = null;

  const push = (at: number): void => {
    latest = Math.max(latest, at);
    moments.push(latest);
    fills.push(state.fill());
    short.push(false);
  };
  events.forEach((event, index) => {
    if (edgeTypes.has(event.type)) {
      const wake = state.wakesAt();
      if (wake !== null && wake > latest && wake < event.at) {
        state.wake();
        push(wake);
      }
      if (before !== null && isWhole(before, event)) short[short.length - 1] = true;
      state.take(event);
      push(event.at);
      if (event.type === 'operation.reused') short[short.length - 1] = true;
      before = event;
    }
    ofEvent[index] = moments.length - 1;
  });
  spread(moments);
  return { moments, fills, short, ofEvent, wakesAt: state.wakesAt() };
}

function isWhole(begin: LabEvent, end: LabEvent): boolean {
  return (
    begin.type === 'operation.intended' && end.type === 'operation.checkpointed' && begin.operation === end.operation
  );
}

/** Spreads equal moments over their millisecond. */
function spread(moments: number[]): void {
  let from = 0;
  while (from < moments.length) {
    const at = moments[from] ?? 0;
    let to = from + 1;
    while (moments[to] === at) to += 1;
    for (let place = from + 1; place < to; place += 1) moments[place] = at + (place - from) / (to - from);
    from = to;
  }
}

/** Which operations are open while the events pass by, and whether they work or wait. */
class OpenOperations {
  private readonly open = new Map<string, { waits: boolean; wakesAt: number | null }>();
  private waiting = 0;
  private lives = false;
  private isStarting = false;

  take(event: LabEvent): void {
    const { type, operation, at } = event;
    if (type === 'run.created' || type === 'run.claimed') this.isStarting = true;
    else if (type === 'attempt.spawned') this.lives = true;
    else if (type === 'attempt.ended') {
      this.lives = false;
      this.isStarting = false;
      this.open.clear();
      this.waiting = 0;
    }
    if (operation === null) return;
    if (type === 'operation.intended') {
      const { kind }: EventData<'operation.intended'> = event.data as never;
      this.change(operation, { waits: waitingKinds.has(kind), wakesAt: null });
    } else if (type === 'operation.try') {
      const { retryInMs }: EventData<'operation.try'> = event.data as never;
      if (retryInMs !== null) this.change(operation, { waits: true, wakesAt: at + retryInMs });
    } else if (type === 'operation.checkpointed') this.change(operation, null);
    if (type === 'operation.intended' || type === 'operation.reused') this.isStarting = false;
  }

  fill(): Fill {
    if (this.open.size > this.waiting) return 'work';
    if (this.waiting > 0) return 'wait';
    if (this.isStarting) return 'start';
    return this.lives ? 'between' : 'rest';
  }

  /** When the first of the operations that wait for their next try goes on; null when one is at work anyway. */
  wakesAt(): number | null {
    if (this.fill() !== 'wait') return null;
    let first: number | null = null;
    for (const { wakesAt } of this.open.values()) {
      if (wakesAt !== null && (first === null || wakesAt < first)) first = wakesAt;
    }
    return first;
  }

  /** That operation goes on. */
  wake(): void {
    const first = this.wakesAt();
    for (const [id, { wakesAt }] of this.open) {
      if (wakesAt === first) this.change(id, { waits: false, wakesAt: null });
    }
  }

  private change(id: string, to: { waits: boolean; wakesAt: number | null } | null): void {
    if (this.open.get(id)?.waits === true) this.waiting -= 1;
    if (to === null) this.open.delete(id);
    else this.open.set(id, to);
    if (to?.waits === true) this.waiting += 1;
  }
}
