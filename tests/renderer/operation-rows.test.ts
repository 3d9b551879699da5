import { describe, expect, it } from 'vitest';
import {
  arrangeRows,
  shownState,
  workedMs,
  type Order,
  type RowFilter,
} from '../../renderer/history/operation-rows.ts';
import { aimedAt, pointAt, pointsByOperation, pointTarget } from '../../renderer/history/point-target.ts';
import { readValue, recordedArguments } from '../../renderer/history/read-value.ts';
import { ToldRun } from './told-run.ts';

const run = new ToldRun().attempt(1, 0).begin('0', 'fetch', 0).done('0', 300).begin('1', 'Charge card', 300, 1, 'mcp');
run.failedTry('1', 310, 1, 5).done('1', 320).begin('2', 'fetch', 320).killed(400);
run.attempt(2, 500).reused('0', 510).reused('1', 510).begin('2', 'fetch', 511, 2);
for (let id = 3; id < 12; id += 1) run.begin(String(id), `n${id}`, 600).done(String(id), 601);
const { operations } = run.history();
const none: ReadonlySet<string> = new Set();
const all: RowFilter = { kind: null, state: null, text: '' };
const byId: Order = { by: 'id', descending: false };
const ids = (filter: Partial<RowFilter>, order: Order = byId): string[] =>
  arrangeRows(operations, { ...all, ...filter }, order, none).map(({ id }) => id);

describe('arrangeRows', () => {
  it('keeps program order, also backwards', () => {
    expect(ids({})).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11']);
    expect(ids({}, { by: 'id', descending: true }).slice(0, 3)).toEqual(['11', '10', '9']);
    expect(operations[0]?.id).toBe('0');
  });
  it('passes what has every word, the kind and the state', () => {
    expect(ids({ text: 'CARD mcp' })).toEqual(['1']);
    expect(ids({ text: 'fetch card' })).toEqual([]);
    expect(ids({ kind: 'mcp' })).toEqual(['1']);
    expect(ids({ state: 'reused' })).toEqual(['0', '1']);
    expect(ids({ state: 'open' })).toEqual(['2']);
  });
  it('sorts by a column, equal ones in program order both ways, open ones as the longest', () => {
    expect(ids({ text: 'fetch' }, { by: 'duration', descending: true })).toEqual(['2', '0']);
    expect(ids({}, { by: 'tries', descending: true }).slice(0, 3)).toEqual(['1', '0', '2']);
    expect(ids({}, { by: 'name', descending: false }).slice(0, 3)).toEqual(['1', '0', '2']);
  });
  it('adds the times of all bodies, and those of an open one up to now', () => {
    const [first, , third] = operations;
    if (first === undefined || third === undefined) throw new Error('three operations were told');
    expect([workedMs(first, 1000), workedMs(third, 600)]).toEqual([300, 80 + 89]);
  });
  it('says done of a tool that ran and was reused in one attempt, and reused in the next', () => {
    const twice = new ToldRun().attempt(1, 0).begin('0.0', 'pay', 1, 1, 'tool').done('0.0', 2).reused('0.0', 3);
    expect(twice.history().operations.map((row) => shownState(row, new Set()))).toEqual(['done']);
    const restarted = twice.killed(5).attempt(2, 6).reused('0.0', 7).history();
    expect(restarted.operations.map((row) => shownState(row, new Set()))).toEqual(['reused']);
  });
  it('says done of a tool that its callback settled, which ran no body', () => {
    const told = new ToldRun().attempt(1, 0).begin('0.0', 'pay', 1, 1, 'tool').killed(2).attempt(2, 3).done('0.0', 4);
    const [pay] = told.history().operations;
    expect(pay).toMatchObject({ state: 'done', bodies: 1, settled: { attempt: 2, at: 4 } });
    expect(pay?.spans.map(({ outcome }) => outcome)).toEqual(['cut']);
    const plain = new ToldRun().attempt(1, 0).begin('0', 'pay', 1).done('0', 2).history();
    expect(plain.operations[0]?.settled).toBeNull();
  });
  it('says uncertain only for what was cut', () => {
    const cut = new ToldRun().attempt(1, 0).begin('0', 'a', 1).begin('1', 'b', 2).done('1', 3).killed(5).history();
    expect(cut.operations.map((row) => shownState(row, new Set(['0', '1'])))).toEqual(['uncertain', 'done']);
  });
});

describe('crash points of operations', () => {
  it.each([
    [
      'reserve@after-checkpoint',
      { operation: { name: 'reserve', occurrence: 1 }, phase: 'after-checkpoint', rest: '' },
    ],
    [
      'fetch#2@during+50=SIGTERM',
      { operation: { name: 'fetch', occurrence: 2 }, phase: 'during', rest: '+50=SIGTERM' },
    ],
    ['3.0@before-intent', { operation: { id: '3.0' }, phase: 'before-intent', rest: '' }],
    ['run@at-start', { operation: null, phase: 'at-start', rest: '' }],
  ])('reads %s', (text, target) => expect(pointTarget(text)).toEqual(target));

  it('finds the operation by occurrence in program order, or by id', () => {
    expect(aimedAt(operations, 'fetch#2@during')?.id).toBe('2');
    expect(aimedAt(operations, 'fetch#3@during')).toBeNull();
    expect(aimedAt(operations, '10@during')?.id).toBe('10');
  });
  it('names an operation by what leads back to it', () => {
    for (const operation of operations)
      expect(aimedAt(operations, pointAt(operations, operation, 'during'))).toBe(operation);
    expect(operations.slice(0, 3).map((one) => pointAt(operations, one, 'during'))).toEqual([
      ...['fetch@during', 'Charge card@during', '2@during'],
    ]);
  });
  it('puts points of the run, and of what is not there yet, aside', () => {
    const points = ['fetch@during', 'run@at-start', 'later@during'].map((point) => ({ point }));
    const found = pointsByOperation(operations, points);
    expect([found.get('0'), found.get('')]).toEqual([points.slice(0, 1), points.slice(1)]);
  });
});

describe('readValue', () => {
  it('shows the JSON part, and says what JSON cannot', () => {
    const text = JSON.stringify({
      json: { at: '2026-01-01', tags: ['a'] },
      meta: { values: { at: ['Date'], tags: ['set', { 0: ['Date'] }] } },
    });
    expect(readValue(text)).toEqual({
      text: JSON.stringify({ at: '2026-01-01', tags: ['a'] }, null, 2),
      kinds: [
        { path: 'at', kind: 'Date' },
        { path: 'tags', kind: 'set' },
        { path: 'tags.0', kind: 'Date' },
      ],
    });
  });
  it('names the kind of the value itself, and leaves other text as it is', () => {
    expect(readValue('{"json":"5","meta":{"values":["bigint"]}}')).toEqual({
      text: '"5"',
      kinds: [{ path: 'the value', kind: 'bigint' }],
    });
    expect(readValue('no json').text).toBe('no json');
    expect(readValue('{"a":1}').text).toBe('{\n  "a": 1\n}');
  });
});

describe('recorded arguments', () => {
  it('of a journaled tool are plain JSON, also with a key that history uses', () => {
    expect(readValue(recordedArguments('tool', '{"json":1,"order":2}')).text).toBe('{\n  "json": 1,\n  "order": 2\n}');
    expect(readValue(recordedArguments('step', '{"json":[1]}')).text).toBe('[\n  1\n]');
  });
});
