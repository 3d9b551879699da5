import { describe, expect, it } from 'vitest';
import type { Operation } from '../../runtime/contract/index.ts';
import { clockEdges } from '../../renderer/history/clock-edges.ts';
import { foldEvents } from '../../renderer/history/fold-events.ts';
import { layoutLanes } from '../../renderer/history/lane-layout.ts';
import { copiedHistory } from '../../renderer/history/run-history.ts';
import { ToldRun } from './told-run.ts';

const copied: Operation = {
  ...{ run: 'r', id: '0' as Operation['id'], kind: 'step', name: 'extract', state: 'checkpointed', uncertain: false },
  ...{ repeatable: true, arguments: null, outcome: { ok: true, value: '{"json":1}' }, attempt: 0, bodies: 0 },
  ...{ source: null, intendedAt: 1, checkpointedAt: 2 },
};

describe('the history of a fork', () => {
  it('knows the operations that it was given, and shows them as reused where the fork asked for them', () => {
    const { events } = new ToldRun().attempt(1, 10).reused('0', 20).begin('1', 'order', 21).done('1', 30);
    const history = foldEvents(copiedHistory('r', [copied]), events);
    expect(history.operations.map(({ id, name, state, bodies }) => ({ id, name, state, bodies }))).toEqual([
      { id: '0', name: 'extract', state: 'done', bodies: 0 },
      { id: '1', name: 'order', state: 'done', bodies: 1 },
    ]);
    const [lane] = layoutLanes(history, clockEdges(events));
    expect(lane?.rows[0]?.map(({ operation, span }) => [operation.name, span.outcome])).toEqual([
      ['extract', 'reused'],
      ['order', 'done'],
    ]);
  });
});
