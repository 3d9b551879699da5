import { describe, expect, it } from 'vitest';
import { clockEdges } from '../../renderer/history/clock-edges.ts';
import { layoutLanes } from '../../renderer/history/lane-layout.ts';
import { recoveredRun, ToldRun } from './told-run.ts';

function rowsOf(run: ToldRun): string[][][] {
  const lanes = layoutLanes(run.history(), clockEdges(run.events));
  return lanes.map(({ rows }) =>
    rows.map((bars) => bars.map(({ operation, span }) => `${operation.id} ${span.outcome}`)),
  );
}

describe('layoutLanes', () => {
  it('puts operations that follow each other into one row a lane, also within one millisecond', () => {
    expect(rowsOf(recoveredRun())).toEqual([[['0 done', '1 done']], [['0 reused', '1 reused', '2 done', '3 done']]]);
  });
  it('stacks what runs side by side, and goes on in the first row that is free', () => {
    const run = new ToldRun().attempt(1, 0).begin('0', 'a', 10).begin('1', 'b', 11).begin('2', 'c', 12);
    run.done('1', 20).begin('3', 'd', 25).done('0', 30).done('2', 31).done('3', 40).begin('4', 'e', 41);
    expect(rowsOf(run)).toEqual([[['0 done', '4 open'], ['1 done', '3 done'], ['2 done']]]);
  });
  it('puts a nested operation below the one that it was called in', () => {
    const run = new ToldRun()
      .attempt(1, 0)
      .begin('0', 'outer', 10)
      .begin('0.0', 'inner', 11)
      .done('0.0', 20)
      .done('0', 30);
    expect(rowsOf(run)).toEqual([[['0 done'], ['0.0 done']]]);
  });
  it('ends what was open at the death of its process, and leaves open what is open', () => {
    const cut = new ToldRun().attempt(1, 0).begin('0', 'a', 10).killed(50).attempt(2, 90).begin('0', 'a', 100, 2);
    expect(rowsOf(cut)).toEqual([[['0 cut']], [['0 open']]]);
    const [first, second] = layoutLanes(cut.history(), clockEdges(cut.events));
    expect(first?.rows[0]?.[0]?.to).toBe(first?.ended);
    expect(second?.rows[0]?.[0]?.to).toBeNull();
  });
  it('draws more operations at once than there are rows without losing one', () => {
    const run = new ToldRun().attempt(1, 0);
    for (let id = 0; id < 200; id += 1) run.begin(String(id), `n${id}`, 10);
    const [rows = []] = rowsOf(run);
    expect(rows.length).toBe(48);
    expect(rows.flat()).toHaveLength(200);
  });
});
