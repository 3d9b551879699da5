import { describe, expect, it } from 'vitest';
import { evidenceGroups } from '../../renderer/scenario/evidence-groups.ts';

const piece = (name: string) => ({ name, expected: 'x', actual: null, ok: null });

describe('evidenceGroups', () => {
  it('puts neighbours with one beginning under it, and keeps every piece once and in order', () => {
    const names = ['killed: states', 'killed: kill', 'recovered: states', 'same result', 'killed: end: of it'];
    const groups = evidenceGroups(names.map(piece));
    expect(groups.map(({ title, pieces }) => [title, pieces.map(({ short }) => short)])).toEqual([
      ['killed', ['states', 'kill']],
      ['recovered', ['states']],
      ['', ['same result']],
      ['killed', ['end: of it']],
    ]);
    expect(groups.flatMap(({ pieces }) => pieces.map(({ name }) => name))).toEqual(names);
  });
});
