import { SuperJSON } from 'superjson';
import type { Json } from '../core/index.ts';
import { inspect } from './serialisable.ts';

type Parsed = Parameters<SuperJSON['deserialize']>[0];

const superjson = new SuperJSON();
superjson.registerCustom<Buffer, number[]>(
  {
    isApplicable: (value): value is Buffer => Buffer.isBuffer(value),
    serialize: (value) => [...value],
    deserialize: (bytes) => Buffer.from(bytes),
  },
  'Buffer',
);

/**
 * A value as it is kept in history: superjson's text, `{"json":…}` with `"meta"` when JSON alone would lose something.
 * Throws `invalid-input` with the path, led by `root`, of a part that cannot be kept.
 */
export function encode(value: unknown, root: string): string {
  return inspect(value, root) === 'json' ? `{"json":${JSON.stringify(value)}}` : superjson.stringify(value);
}

export function decode(text: string): unknown {
  const parsed = JSON.parse(text) as Parsed;
  return parsed.meta === undefined ? parsed.json : superjson.deserialize(parsed, { inPlace: true });
}

/** The same value as JSON: what is `undefined` in it is absent. Throws as `encode`, also for what JSON cannot hold. */
export function toJson(value: unknown, root: string): Json {
  inspect(value, root, true);
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json);
}
