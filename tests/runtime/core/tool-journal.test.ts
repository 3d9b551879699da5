import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalJson,
  pendingCalls,
  toolCallIdentity,
  toolFailure,
  toWireError,
  type Json,
  type JournaledCall,
  type OperationId,
} from '../../../runtime/core/index.ts';

const json: fc.Arbitrary<Json> = fc.jsonValue() as fc.Arbitrary<Json>;

/** The same value with the keys of every object in another order. */
function shuffled(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => shuffled(item));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, shuffled(item)]),
  );
}

describe('canonical JSON', () => {
  it('is one text for one value, whatever the order of keys', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it('means the value that it was made of', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('is another text for another value', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        const isSame = canonicalJson(one) === canonicalJson(other);
        expect(isSame).toBe(JSON.stringify(sorted(one)) === JSON.stringify(sorted(other)));
      }),
    );
  });

  // The example of RFC 8785, section 3.2.3, with numbers of its section 3.2.2.
  it('orders keys by UTF-16 code units and writes numbers as ECMAScript does', () => {
    const keys = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
    expect(canonicalJson(keys)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
    expect(canonicalJson([333333333.33333329, 1e30, 4.5, 2e-3, 1e-27, -0])).toBe(
      '[333333333.3333333,1e+30,4.5,0.002,1e-27,0]',
    );
  });
});

/** Sorted by another way than the code under test: by inserting keys in order. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => sorted(item));
  if (value === null || typeof value !== 'object') return value;
  return Object.keys(value)
    .sort()
    .map((key) => [key, sorted((value as Record<string, Json>)[key] ?? null)]);
}

describe('a tool call', () => {
  it('is told from others by its tool and its arguments', () => {
    expect(toolCallIdentity('pay', { b: 1, a: 2 })).toBe(toolCallIdentity('pay', { a: 2, b: 1 }));
    expect(toolCallIdentity('pay', { a: 1 })).not.toBe(toolCallIdentity('pay', { a: '1' }));
    expect(toolCallIdentity('pay', {})).not.toBe(toolCallIdentity('ship', {}));
    expect(toolCallIdentity('a', ['b'])).not.toBe(toolCallIdentity('a,["b"]', []));
  });

  it('left pending is asked about when its tool can tell, and else runs again, as then a person has said so', () => {
    const call = (n: number, recoverable: boolean, done: boolean): JournaledCall => ({
      id: `0.${n}` as OperationId,
      name: 'pay',
      arguments: `{"n":${n}}`,
      recoverable,
      outcome: done ? { ok: true, value: '{"json":null}' } : null,
    });
    const calls = [
      call(0, true, true),
      call(1, true, false),
      call(2, false, false),
      call(3, false, true),
      call(4, true, false),
    ];
    const { ask, again } = pendingCalls(calls);
    expect(ask.map(({ id }) => id)).toEqual(['0.1', '0.4']);
    expect(again.map(({ id }) => id)).toEqual(['0.2']);
  });

  it('that failed ends its agent with an error that names the tool and what it threw', () => {
    const error = toolFailure('cashier', 'pay', toWireError(Object.assign(new Error('refused'), { code: 'E1' })));
    expect(error.message).toBe('the tool pay of agent cashier failed, which ends the agent: Error: refused');
    expect(error.facts).toMatchObject({ agent: 'cashier', tool: 'pay', error: { message: 'refused', code: 'E1' } });
  });
});
