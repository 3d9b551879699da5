import { z } from 'zod';
import { receiptKinds, runStates, operationKinds, type EndCause } from '../core/index.ts';
import { operationId } from './child-protocol.ts';
import { wireError } from './error-schema.ts';
import { json } from './json-schema.ts';
import { processIdentity, type EventType } from './run.ts';

const revision = z.int().nonnegative();
const crashPoint = z.strictObject({ index: z.int().nonnegative(), point: z.string() });

/**
 * What an event carries beside run, sequence, time, attempt and operation: one shape a type. Compact on purpose: what
 * is in the run's, the operation's or the receipt's own row is not repeated.
 */
export const eventData = {
  'run.created': z.strictObject({
    relay: z.string(),
    release: z.string(),
    caller: z.string(),
    forkedFrom: z.strictObject({ run: z.string(), operation: operationId }).nullable(),
  }),
  /** The event's attempt is the one that was opened. */
  'run.claimed': z.strictObject({
    revision,
    epoch: z.int().positive(),
    holder: processIdentity,
    deadlineAt: z.number(),
  }),
  'run.moved': z.strictObject({
    revision,
    from: z.enum(runStates),
    to: z.enum(runStates),
    reason: z.string().nullable(),
  }),
  'run.changed': z.discriminatedUnion('change', [
    z.strictObject({ change: z.literal('recovery'), revision, recovery: z.enum(['off', 'immediate']) }),
    z.strictObject({ change: z.literal('attempt-budget'), attemptBudget: z.int().positive() }),
    /** Checkpointed operations were copied from another run. */
    z.strictObject({ change: z.literal('history'), from: z.string(), copied: z.int().nonnegative() }),
  ]),
  'attempt.spawned': processIdentity,
  'attempt.ended': z.strictObject({
    cause: z.custom<EndCause>((value) => typeof value === 'object' && value !== null),
  }),
  'crash-point.armed': crashPoint,
  /** The event's operation is the one that it fired at; null for a point of the run. */
  'crash-point.fired': crashPoint,
  'crash-point.missed': crashPoint,
  'crash-point.withdrawn': crashPoint,
  /** `bodies`: how many times the body was begun with this one, over all attempts. */
  'operation.intended': z.strictObject({ kind: z.enum(operationKinds), name: z.string(), bodies: z.int().positive() }),
  'operation.checkpointed': z.discriminatedUnion('ok', [
    z.strictObject({ ok: z.literal(true) }),
    /** The error in one line. */
    z.strictObject({ ok: z.literal(false), error: z.string() }),
  ]),
  /** `arguments`: those that the relay asked with, when they differ from the recorded ones; else null. */
  'operation.reused': z.strictObject({ diverged: z.boolean(), arguments: z.string().nullable() }),
  'operation.try': z.strictObject({ number: z.int().positive(), error: wireError, retryInMs: z.number().nullable() }),
  'operation.decided': z.strictObject({ revision, decision: z.enum(['accept', 'again', 'fail']), by: z.string() }),
  'receipt.added': z.strictObject({ receipt: z.int(), kind: z.enum(receiptKinds), name: z.string(), ok: z.boolean() }),
  'artifact.added': z.strictObject({ path: z.string(), mediaType: z.string(), bytes: z.int(), sha256: z.string() }),
  log: json,
  note: json,
} as const satisfies Record<EventType, z.ZodType>;

export type EventData<Type extends EventType> = z.infer<(typeof eventData)[Type]>;
