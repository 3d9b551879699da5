import { describe, expect, it } from 'vitest';
import { keysAt, schemaAt, shape, valuesAt, type Schema } from '../../renderer/dialogs/schema-help.ts';

const order: Schema = {
  type: 'object',
  required: ['customer', 'lines'],
  properties: {
    note: { type: 'string', description: 'for the packer', maxLength: 20 },
    customer: { $ref: '#/$defs/customer' },
    lines: { type: 'array', items: { type: 'object', properties: { unit: { enum: ['piece', 'box'] } } } },
    express: { type: 'boolean', default: true },
    pay: { oneOf: [{ properties: { card: { type: 'string' } } }, { properties: { iban: { type: 'string' } } }] },
  },
  $defs: { customer: { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 1 } } } },
};

describe('keysAt', () => {
  it('offers the keys that are not there yet, those that must be there first', () => {
    expect(keysAt(order, [], ['note']).map(({ label }) => label)).toEqual(['customer', 'lines', 'express', 'pay']);
  });

  it('begins the value as its schema asks and says what it is', () => {
    const byLabel = Object.fromEntries(keysAt(order, [], []).map((one) => [one.label, one]));
    expect(byLabel['lines']).toMatchObject({ insert: '"lines": []', detail: 'array, required' });
    expect(byLabel['express']?.insert).toBe('"express": true');
    expect(byLabel['note']).toMatchObject({ detail: 'string, at most 20 signs', description: 'for the packer' });
  });

  it('follows references, array items and alternatives', () => {
    expect(keysAt(order, ['customer'], []).map(({ label, detail }) => [label, detail])).toEqual([
      ['name', 'string, at least 1 signs, required'],
    ]);
    expect(keysAt(order, ['lines', 3], []).map(({ label }) => label)).toEqual(['unit']);
    expect(keysAt(order, ['pay'], []).map(({ label }) => label)).toEqual(['card', 'iban']);
  });

  it('offers nothing at a place that the schema does not know', () => {
    expect(keysAt(order, ['unknown'], [])).toEqual([]);
    expect(schemaAt(order, ['unknown'])).toBeNull();
  });

  it('ends on a schema that refers to itself', () => {
    const tree: Schema = { type: 'object', properties: { left: { $ref: '#' } }, anyOf: [{ $ref: '#' }] };
    expect(keysAt(tree, ['left', 'left'], []).map(({ label }) => label)).toEqual(['left']);
  });
});

describe('valuesAt', () => {
  it('offers what an enum allows, and both booleans after the default without repeating it', () => {
    expect(valuesAt(order, ['lines', 0, 'unit']).map(({ insert }) => insert)).toEqual(['"piece"', '"box"']);
    expect(valuesAt(order, ['express']).map(({ insert, detail }) => [insert, detail])).toEqual([
      ['true', 'default'],
      ['false', 'boolean'],
    ]);
  });
});

describe('shape', () => {
  it('says a schema in one line', () => {
    expect(shape({ type: 'integer', minimum: 1, maximum: 1000 })).toBe('integer, 1 to 1000');
    expect(shape({ type: ['string', 'null'], format: 'date' })).toBe('string or null, date');
    expect(shape({ const: 3 })).toBe('3');
    expect(shape({})).toBe('any value');
  });
});
