import type {
  EventData,
  EventType,
  LabEvent,
  OperationKind,
  Receipt,
  ServiceRecord,
} from '../../runtime/contract/index.ts';
import { foldEvents } from '../../renderer/history/fold-events.ts';
import { emptyHistory, type RunHistory } from '../../renderer/history/run-history.ts';

/** Tells a run as its events, one millisecond after the other. */
export class RunStory {
  readonly run = 'run-1';
  readonly events: LabEvent[] = [];
  readonly receipts: Receipt[] = [];
  readonly records: ServiceRecord[] = [];
  at = 1000;
  #attempt = 0;

  add<Type extends EventType>(
    type: Type,
    operation: string | null,
    data: EventData<Type>,
    attempt = this.#attempt,
  ): this {
    this.at += 1;
    this.events.push({
      ...{ run: this.run, sequence: this.events.length + 1, at: this.at, type, attempt },
      ...{ operation: operation as LabEvent['operation'], data: data as LabEvent['data'] },
    });
    return this;
  }

  attempt(): this {
    this.#attempt += 1;
    const holder = { pid: 1, startTime: 'h' };
    this.add('run.claimed', null, { revision: 1, epoch: this.#attempt, holder, deadlineAt: 0 });
    return this.add('attempt.spawned', null, { pid: 100 + this.#attempt, startTime: 's' });
  }

  begin(id: string, name: string, bodies = 1, kind: OperationKind = 'step'): this {
    return this.add('operation.intended', id, { kind, name, bodies });
  }

  done(id: string): this {
    return this.add('operation.checkpointed', id, { ok: true });
  }

  killed(): this {
    return this.add('attempt.ended', null, { cause: { kind: 'signal', signal: 'SIGKILL' } });
  }

  reused(id: string): this {
    return this.add('operation.reused', id, { diverged: false, arguments: null });
  }

  receipt(kind: Receipt['kind'], operation: string, name: string, data: Receipt['data']): this {
    this.at += 1;
    this.receipts.push({
      ...{ id: this.receipts.length + 1, run: this.run, attempt: this.#attempt, kind, name, ok: true, at: this.at },
      ...{ operation: operation as LabEvent['operation'], durationMs: null, data },
    });
    return this;
  }

  /** A request at a service. `operation` is what its key names after the run; null for a key of the run alone. */
  request(service: string, operation: string | null, outcome: string, path = '/orders', key = ''): this {
    this.at += 1;
    this.records.push({
      ...{ service, id: this.records.length + 1, at: this.at, path, outcome },
      reference: [this.run, operation, key].filter(Boolean).join(':'),
      operation: operation as ServiceRecord['operation'],
      effect: ['created', 'appended', 'reserved'].includes(outcome),
    });
    return this;
  }

  history(): RunHistory {
    return foldEvents(emptyHistory(this.run), this.events);
  }
}
