import { describe, expect, it } from 'vitest';
import { asLabError, canonicalJson, fromWireError, LabError, toWireError } from '../../../runtime/core/index.ts';

describe('errors in history', () => {
  it('keep name, message, stack, code, own fields and causes', () => {
    const cause = new RangeError('too far');
    const error = Object.assign(new TypeError('wrong', { cause }), { code: 'E_WRONG', status: 422, hint: { a: [1] } });
    const wire = toWireError(error);
    expect(wire).toMatchObject({
      name: 'TypeError',
      message: 'wrong',
      code: 'E_WRONG',
      fields: { status: 422, hint: { a: [1] } },
    });
    const back = fromWireError(JSON.parse(JSON.stringify(wire)) as typeof wire);
    expect(back).toMatchObject({
      name: 'TypeError',
      message: 'wrong',
      code: 'E_WRONG',
      status: 422,
      stack: error.stack,
    });
    expect(back.cause).toMatchObject({ name: 'RangeError', message: 'too far' });
  });

  it.each([
    ['a text', '"a text"'],
    [{ code: 1 }, '{"code":1}'],
    [undefined, 'undefined'],
    [null, 'null'],
    [10n, '[object BigInt]'],
  ])('name a thrown %o for what it is', (thrown, shown) => {
    expect(toWireError(thrown)).toMatchObject({
      name: 'NonErrorThrown',
      message: `the relay threw ${shown}, which is not an Error`,
    });
  });

  it('end an endless chain of causes', () => {
    const error = new Error('loop');
    error.cause = error;
    let depth = 0;
    for (let wire = toWireError(error).cause; wire !== null; wire = wire.cause) depth += 1;
    expect(depth).toBe(8);
  });

  it('leave out a field that JSON cannot carry, not the error', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    expect(toWireError(Object.assign(new Error('x'), { loop, kept: 1 })).fields).toEqual({ kept: 1 });
  });
});

describe('a LabError', () => {
  it('crosses a process as data', () => {
    const error = new LabError('conflict', 'm', 'n', { found: 2 });
    expect(LabError.fromData(error.toData()).toData()).toEqual(error.toData());
  });

  it('is made of any thrown thing', () => {
    expect(asLabError(new Error('x')).code).toBe('internal');
    expect(asLabError('x').message).toBe('x');
  });
});

describe('canonical JSON', () => {
  it('does not depend on the order of keys', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
  });
});
