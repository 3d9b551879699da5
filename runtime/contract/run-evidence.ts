import { z } from 'zod';
import { operationKinds } from '../core/index.ts';
import { operationId } from './child-protocol.ts';

/** A file of a run's folder (DESIGN.md section 9). Paths are relative to it, with `/`. */
export const runFile = z.strictObject({
  path: z.string(),
  bytes: z.int(),
  modifiedAt: z.number(),
  /** Whether its content is text as far as its beginning tells. */
  text: z.boolean(),
});
export type RunFile = z.infer<typeof runFile>;

export const runFileContent = z.strictObject({
  path: z.string(),
  bytes: z.int(),
  offset: z.int(),
  encoding: z.enum(['utf8', 'base64']),
  content: z.string(),
  /** Where the next part begins; null at the end. */
  next: z.int().nullable(),
});
export type RunFileContent = z.infer<typeof runFileContent>;

/** One request that reached a service, as the service itself wrote it down. */
export const serviceRecord = z.strictObject({
  service: z.string(),
  id: z.int(),
  at: z.number(),
  path: z.string(),
  /** The idempotency key or reference that it carried. */
  reference: z.string().nullable(),
  /** The operation that the reference names, when it does. */
  operation: operationId.nullable(),
  /** In the service's own words: `created`, `repeated`, `key-reused`, … */
  outcome: z.string(),
  /** Whether it left an order, a line or a reservation: an effect in the world. */
  effect: z.boolean(),
});
export type ServiceRecord = z.infer<typeof serviceRecord>;

const nodeState = z.enum(['done', 'reused', 'failed', 'open', 'uncertain']);

/** A run as a graph. Cut when the run has more than `nodes` can hold (2,000): `left` says how many are not there. */
export const runGraph = z.strictObject({
  nodes: z.array(
    z.strictObject({
      id: operationId,
      kind: z.enum(operationKinds),
      name: z.string(),
      state: nodeState,
      /** The operation that this one was called in. */
      parent: operationId.nullable(),
      /** Attempts in which its body was begun, and in which it was reused. */
      begun: z.array(z.int()),
      reused: z.array(z.int()),
      /** Attempts that ended while it was at work, or at a point of it. */
      killed: z.array(z.int()),
    }),
  ),
  edges: z.array(
    z.strictObject({
      from: operationId,
      to: operationId,
      /** `next` in program order after it was done; `beside` begun while the other was open. */
      kind: z.enum(['next', 'beside']),
    }),
  ),
  left: z.int(),
});
export type RunGraph = z.infer<typeof runGraph>;
