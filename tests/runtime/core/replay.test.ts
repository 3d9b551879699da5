import { describe, expect, it } from 'vitest';
import { childId, replay, type HistoryEntry, type OperationRequest } from '../../../runtime/core/index.ts';

const done: HistoryEntry = {
  id: childId(null, 2),
  kind: 'step',
  name: 'charge',
  arguments: '[1]',
  repeatable: true,
  state: 'checkpointed',
  outcome: { ok: true, value: '{"json":1}' },
};
const asked: OperationRequest = { id: done.id, kind: 'step', name: 'charge', arguments: '[1]' };

describe('replay', () => {
  it('starts what history does not hold', () => {
    expect(replay(undefined, asked, false)).toEqual({ kind: 'start' });
  });

  it('reuses a checkpoint, a value as well as an error', () => {
    expect(replay(done, asked, false)).toEqual({ kind: 'reuse', outcome: done.outcome, diverged: false });
    const error = { name: 'Error', message: 'no', stack: null, code: null, fields: {}, cause: null };
    const failed: HistoryEntry = { ...done, outcome: { ok: false, error } };
    expect(replay(failed, asked, false)).toEqual({ kind: 'reuse', outcome: failed.outcome, diverged: false });
  });

  it('runs the body again when only the intent is there', () => {
    const intended: HistoryEntry = { ...done, state: 'intended', outcome: null };
    expect(replay(intended, asked, false)).toEqual({ kind: 'rerun', recorded: intended });
  });

  it('reports other arguments as a divergence at the top level and as a mismatch inside a step', () => {
    const other = { ...asked, arguments: '[2]' };
    expect(replay(done, other, false)).toMatchObject({ kind: 'reuse', diverged: true });
    expect(replay(done, other, true)).toEqual({ kind: 'mismatch', expected: done, part: 'arguments' });
  });

  it('finds another kind or name to be a mismatch', () => {
    expect(replay(done, { ...asked, kind: 'agent' }, false)).toMatchObject({ kind: 'mismatch', part: 'kind' });
    expect(replay(done, { ...asked, name: 'refund' }, false)).toMatchObject({ kind: 'mismatch', part: 'name' });
  });
});
