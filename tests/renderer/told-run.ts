import type { EventType, LabEvent, OperationKind } from '../../runtime/contract/index.ts';
import { foldEvents } from '../../renderer/history/fold-events.ts';
import { emptyHistory, type RunHistory } from '../../renderer/history/run-history.ts';

/** Events of a run as a test tells them, in order: sequence numbers are given as they come. */
export class ToldRun {
  readonly events: LabEvent[] = [];
  #attempt: number | null = null;

  add(type: EventType, at: number, data: LabEvent['data'] = null, operation: string | null = null): this {
    this.events.push({
      ...{ run: 'r', sequence: this.events.length + 1, at, type, attempt: this.#attempt, data },
      operation: operation as LabEvent['operation'],
    });
    return this;
  }
  /** A process, from its claim to its first code. */
  attempt(number: number, at: number, spawnedAfter = 0): this {
    this.#attempt = number;
    const holder = { pid: 1, startTime: '1' };
    this.add('run.claimed', at, { revision: 2, epoch: number, holder, deadlineAt: 1e6 });
    return this.add('attempt.spawned', at + spawnedAfter, { pid: 100 + number, startTime: String(number) });
  }
  begin(id: string, name: string, at: number, bodies = 1, kind: OperationKind = 'step'): this {
    return this.add('operation.intended', at, { kind, name, bodies }, id);
  }
  done(id: string, at: number): this {
    return this.add('operation.checkpointed', at, { ok: true }, id);
  }
  reused(id: string, at: number, diverged = false): this {
    return this.add('operation.reused', at, { diverged, arguments: null }, id);
  }
  failedTry(id: string, at: number, number: number, retryInMs: number | null): this {
    const error = { name: 'Error', message: `try ${number}`, stack: null, code: null, fields: {}, cause: null };
    return this.add('operation.try', at, { number, error, retryInMs }, id);
  }
  killed(at: number, point = 'reserve@after-checkpoint'): this {
    return this.add('attempt.ended', at, { cause: { kind: 'crash-point', point, signal: 'SIGKILL' } });
  }
  finished(at: number): this {
    return this.add('attempt.ended', at, { cause: { kind: 'finished' } });
  }
  history(): RunHistory {
    return foldEvents(emptyHistory('r'), this.events);
  }
}

/** Killed after its second operation, recovered 20 seconds later: two are reused, two are new. */
export function recoveredRun(): ToldRun {
  const first = new ToldRun().attempt(1, 1000, 80).begin('0', 'extract', 1100).done('0', 1200);
  const killed = first.begin('1', 'reserve', 1200).done('1', 1800).killed(1810);
  const second = killed.attempt(2, 21_810, 80).reused('0', 21_900).reused('1', 21_900);
  return second
    .begin('2', 'order', 21_900)
    .done('2', 22_300)
    .begin('3', 'confirm', 22_301)
    .done('3', 22_301)
    .finished(22_310);
}
