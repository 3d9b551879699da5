import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifest, type Manifest } from '../../../runtime/contract/index.ts';
import { changedBindings, type JsonObject } from '../../../runtime/core/index.ts';
import { bindingsOf, checkInput } from '../../../runtime/release/index.ts';
import { refusalOf } from '../../support/refusal.ts';
import { TemporaryFolder } from '../../support/temporary-folder.ts';

function relayWith(schema: JsonObject | boolean): Manifest {
  return manifest.parse({
    kind: 'relay',
    relay_runtime: 'node',
    relay_durability: 'dbos',
    name: 'orders',
    entry: 'relay.ts',
    input_schema: schema,
  });
}

const orderSchema = {
  type: 'object',
  properties: { items: { type: 'array', items: { type: 'object', required: ['sku'] } }, rush: { enum: [true, false] } },
  required: ['items'],
  additionalProperties: false,
};

describe('checkInput', () => {
  it('gives the value of an input that meets the schema', async () => {
    expect(await checkInput(relayWith(orderSchema), '{"items":[{"sku":"a"}]}')).toEqual({ items: [{ sku: 'a' }] });
    expect(await checkInput(relayWith(true), 'null')).toBeNull();
  });

  it('names every place that does not meet it', async () => {
    const error = await refusalOf(checkInput(relayWith(orderSchema), '{"items":[{"sku":"a"},{}],"rush":1,"more":2}'));
    expect(error.code).toBe('invalid-input');
    expect(error.facts['violations']).toEqual([
      'the whole value must NOT have additional properties ("more")',
      "/items/1 must have required property 'sku'",
      '/rush must be equal to one of the allowed values (true, false)',
    ]);
    expect(error.message).toContain('input_schema of relay orders');
  });

  it('refuses what is not JSON, with the place', async () => {
    const error = await refusalOf(checkInput(relayWith(true), '{"items": [1,]}'));
    expect(error.code).toBe('invalid-input');
    expect(error.message).toContain('the input is not JSON: input:1:13: JSON does not support trailing commas');
  });

  it('takes an input of 128 KiB and refuses one byte more', async () => {
    const most = JSON.stringify('x'.repeat(128 * 1024 - 2));
    expect(await checkInput(relayWith(true), most)).toHaveLength(128 * 1024 - 2);
    const error = await refusalOf(checkInput(relayWith(true), `${most} `));
    expect(error.code).toBe('too-large');
    expect(error.message).toBe('the input has 131073 bytes; a run takes at most 131072');
  });

  it('counts bytes of UTF-8, not characters', async () => {
    const text = JSON.stringify('é'.repeat(65_536));
    expect(text.length).toBeLessThan(128 * 1024);
    expect((await refusalOf(checkInput(relayWith(true), text))).code).toBe('too-large');
  });

  it('says where a schema of no use is wrong', async () => {
    const wrongType = { type: 'object', properties: { a: { type: 'strnig' } } };
    const error = await refusalOf(checkInput(relayWith(wrongType), '{}'));
    expect(error.message).toContain('"input_schema" of relay.json');
    expect(error.message).toContain('/properties/a/type must be equal to one of the allowed values');
    const noTarget = await refusalOf(checkInput(relayWith({ $ref: '#/$defs/gone' }), '{}'));
    expect(noTarget.message).toContain('#/$defs/gone');
  });

  it('knows draft-07 when the schema says so', async () => {
    const schema = { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] };
    expect((await refusalOf(checkInput(relayWith(schema), '[1]'))).message).toContain('/0 must be string');
  });
});

describe('bindingsOf', () => {
  it('changes exactly the binding whose part changed', async () => {
    using data = new TemporaryFolder();
    const sdkPath = join(data.path, 'sdk.mjs');
    writeFileSync(sdkPath, 'export {};');
    const parts = { release: 'sha256:1', input: '{"a":1}', variables: { x: '1', y: '2' }, sdkPath, engine: 'sqlite/3' };
    const first = await bindingsOf(parts);
    expect(first.node).toBe(process.version);
    expect(changedBindings(first, await bindingsOf({ ...parts, variables: { y: '2', x: '1' } }))).toEqual([]);
    const names = async (change: Partial<typeof parts>): Promise<string[]> =>
      changedBindings(first, await bindingsOf({ ...parts, ...change })).map(({ binding }) => binding);
    expect(await names({ release: 'sha256:2' })).toEqual(['release']);
    expect(await names({ input: '{"a":2}' })).toEqual(['input']);
    expect(await names({ variables: { x: '1', y: '3' } })).toEqual(['variables']);
    expect(await names({ engine: 'sqlite/4' })).toEqual(['engine']);
    writeFileSync(sdkPath, 'export { };');
    expect(await names({})).toEqual(['sdk']);
  });
});
