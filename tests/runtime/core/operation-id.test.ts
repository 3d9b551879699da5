import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  childId,
  fromSortKey,
  parentId,
  parseOperationId,
  toSortKey,
  type OperationId,
} from '../../../runtime/core/index.ts';

const numbers = fc.array(fc.integer({ min: 0, max: 999_999_999 }), { minLength: 1, maxLength: 4 });
const idOf = (parts: readonly number[]): OperationId =>
  parts.reduce<OperationId | null>((parent, n) => childId(parent, n), null) as OperationId;

function programOrder(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(a.length - b.length);
}

describe('operation ids', () => {
  it('have sort keys in program order', () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const [left, right] = [toSortKey(idOf(a)), toSortKey(idOf(b))];
        const order = left < right ? -1 : left > right ? 1 : 0;
        expect(order).toBe(programOrder(a, b));
      }),
    );
  });

  it('come back from their sort keys', () => {
    fc.assert(
      fc.property(numbers, (parts) => {
        expect(fromSortKey(toSortKey(idOf(parts)))).toBe(idOf(parts));
      }),
    );
  });

  it('know their parents', () => {
    expect(parentId(idOf([3, 0, 12]))).toBe('3.0');
    expect(parentId(idOf([3]))).toBeNull();
  });

  it.each(['', '01', '-1', '1.', '.1', '1..2', 'a', '1.a', '1 ', '１'])('refuse %j', (text) => {
    expect(parseOperationId(text)).toBeNull();
  });
});
