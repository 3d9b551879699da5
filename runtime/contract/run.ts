import { z } from 'zod';
import {
  crashPointStates,
  operationKinds,
  operationStates,
  receiptKinds,
  runStates,
  type Bindings,
  type EndCause,
} from '../core/index.ts';
import { operationId, outcome } from './child-protocol.ts';
import { labErrorData, wireError } from './error-schema.ts';
import { json } from './json-schema.ts';

const epochMs = z.number();

export const processIdentity = z.strictObject({ pid: z.int(), startTime: z.string() });

/** A run as every reader sees it. Times are milliseconds since 1970; what is not there is null. */
export const run = z.strictObject({
  id: z.string(),
  relay: z.string(),
  release: z.string(),
  caller: z.string(),
  durability: z.enum(['dbos', 'none']),
  state: z.enum(runStates),
  revision: z.int(),
  epoch: z.int(),
  /** Why it stands where it stands, for a person; null when there is nothing to say. */
  reason: z.string().nullable(),
  /** JSON text. */
  input: z.string(),
  result: json,
  error: z.union([labErrorData, wireError]).nullable(),
  recovery: z.enum(['off', 'immediate']),
  attempts: z.int(),
  attemptBudget: z.int(),
  deadlineMs: z.int(),
  deadlineAt: epochMs.nullable(),
  createdAt: epochMs,
  startedAt: epochMs.nullable(),
  finishedAt: epochMs.nullable(),
  holder: processIdentity.nullable(),
  /** The folder that the run was started from, when it tests a draft; null for a published release. */
  draftFolder: z.string().nullable(),
  forkedFrom: z.strictObject({ run: z.string(), operation: operationId }).nullable(),
  bindings: z.custom<Bindings>((value) => typeof value === 'object' && value !== null),
  lastSequence: z.int(),
});
export type Run = z.infer<typeof run>;

export const attempt = z.strictObject({
  run: z.string(),
  number: z.int(),
  epoch: z.int(),
  process: processIdentity.nullable(),
  startedAt: epochMs,
  endedAt: epochMs.nullable(),
  cause: z.custom<EndCause>((value) => typeof value === 'object' && value !== null).nullable(),
  /** Operations answered from history in this attempt. */
  reused: z.int(),
  crashPlan: z.array(z.strictObject({ point: z.string(), state: z.enum(crashPointStates) })),
});
export type Attempt = z.infer<typeof attempt>;

export const operation = z.strictObject({
  run: z.string(),
  id: operationId,
  kind: z.enum(operationKinds),
  name: z.string(),
  state: z.enum(operationStates),
  /** It has an intent, no checkpoint, its process is gone and nothing promises that repeating it is harmless. */
  uncertain: z.boolean(),
  repeatable: z.boolean(),
  arguments: z.string().nullable(),
  outcome: outcome.nullable(),
  /** The attempt that recorded the latest intent. */
  attempt: z.int(),
  /** How many times a body was begun, over all attempts. */
  bodies: z.int(),
  source: z.string().nullable(),
  intendedAt: epochMs,
  checkpointedAt: epochMs.nullable(),
});
export type Operation = z.infer<typeof operation>;

export const receipt = z.strictObject({
  id: z.int(),
  run: z.string(),
  attempt: z.int().nullable(),
  operation: operationId.nullable(),
  kind: z.enum(receiptKinds),
  name: z.string(),
  ok: z.boolean(),
  at: epochMs,
  durationMs: z.number().nullable(),
  data: json,
});
export type Receipt = z.infer<typeof receipt>;

export const operationDetail = z.strictObject({
  operation,
  receipts: z.array(receipt),
  /** Failed tries, in order, over all attempts. */
  tries: z.array(
    z.strictObject({
      attempt: z.int(),
      at: epochMs,
      number: z.int().positive(),
      error: wireError,
      retryInMs: z.number().nullable(),
    }),
  ),
});
export type OperationDetail = z.infer<typeof operationDetail>;

export const permission = z.strictObject({
  caller: z.string(),
  resource: z.string(),
  granted: z.boolean(),
  changedAt: epochMs,
  changedBy: z.string(),
});
export type Permission = z.infer<typeof permission>;

/** Event types, each with the write that makes it. Sequence numbers are gap-free in a run, from 1. */
const eventTypes = [
  'run.created',
  'run.claimed',
  'run.moved',
  'run.changed',
  'attempt.spawned',
  'attempt.ended',
  'crash-point.armed',
  'crash-point.fired',
  'crash-point.missed',
  'crash-point.withdrawn',
  'operation.intended',
  'operation.checkpointed',
  'operation.reused',
  'operation.try',
  'operation.decided',
  'receipt.added',
  'artifact.added',
  'log',
  'note',
] as const;
export type EventType = (typeof eventTypes)[number];

export const event = z.strictObject({
  run: z.string(),
  sequence: z.int().positive(),
  at: epochMs,
  type: z.enum(eventTypes),
  attempt: z.int().nullable(),
  operation: operationId.nullable(),
  data: json,
});
export type LabEvent = z.infer<typeof event>;
