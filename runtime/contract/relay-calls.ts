import { z } from 'zod';
import { operationKinds } from '../core/index.ts';
import { operationId } from './child-protocol.ts';
import { labErrorData } from './error-schema.ts';
import { jsonObject } from './json-schema.ts';
import { manifest } from './manifest.ts';

/** A relay's folder, as it is now. */
const relay = z.strictObject({
  folder: z.string(),
  /** Its manifest's name, or the folder's own while the manifest cannot be read. */
  name: z.string(),
  origin: z.enum(['opened', 'scenario']),
  manifest: manifest.nullable(),
  /** JSON Schema of the input, when the manifest has one. */
  inputSchema: jsonObject.nullable(),
  /** An input to begin with: the scenario's own, or that of the last run. JSON text. */
  exampleInput: z.string().nullable(),
  /** Why it cannot be run as it is. */
  problem: labErrorData.nullable(),
});
export type RelayRow = z.infer<typeof relay>;

const release = z.strictObject({
  hash: z.string(),
  name: z.string(),
  files: z.array(z.strictObject({ path: z.string(), bytes: z.int() })),
});
export type ReleaseRow = z.infer<typeof release>;

const phase = z.strictObject({ phase: z.string(), onDisk: z.string() });

/** Calls of the client API on relays, their releases, and the points at which they can be killed. */
export const relayCalls = {
  /** The scenarios' relays, and folders that were opened, the last one first. */
  'relay/list': { takes: z.strictObject({}), gives: z.array(relay) },
  /** Keeps the folder in the list. Throws `invalid-input` or `publish-failed` for one that is no relay. */
  'relay/open': { takes: z.strictObject({ folder: z.string().min(1).max(4096) }), gives: relay },
  'relay/forget': { takes: z.strictObject({ folder: z.string().min(1).max(4096) }), gives: z.null() },
  /** Operations of the relay's latest run, to choose crash points from; empty when it never ran. At most 1,000. */
  'relay/operations': {
    takes: z.strictObject({ relay: z.string() }),
    gives: z.array(
      z.strictObject({
        id: operationId,
        kind: z.enum(operationKinds),
        name: z.string(),
        /** From 1, among those of the same name. */
        occurrence: z.int().positive(),
      }),
    ),
  },
  'release/list': { takes: z.strictObject({}), gives: z.array(release) },
  /** A frozen source of a release, as text. */
  'release/source': {
    takes: z.strictObject({ hash: z.string(), path: z.string().min(1).max(1000) }),
    gives: z.strictObject({ text: z.string() }),
  },
  /** Phases at which a process can be ended, each with what is on disk then, and what can be done to it. */
  'crash/phases': {
    takes: z.strictObject({}),
    gives: z.strictObject({ operation: z.array(phase), run: z.array(phase), actions: z.array(z.string()) }),
  },
  /** Each point in its usual form, with what is wrong with it. */
  'crash/check': {
    takes: z.strictObject({ points: z.array(z.string().max(1000)).max(100) }),
    gives: z.array(z.strictObject({ point: z.string(), problem: z.string().nullable() })),
  },
} satisfies Record<string, { takes: z.ZodType; gives: z.ZodType }>;
