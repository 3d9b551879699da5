import { z } from 'zod';
import type { Json, OperationId } from '../core/index.ts';

/** What a relay's process hands over with a `perform` frame of the kinds send, recv and event, by operation name. */
const workflowId = z.string().min(1).max(1000);
const key = z.string().max(1000);
const serialised = z.string();
const timeoutMs = z.number().nonnegative().nullable();

const hosted = <Name extends string, Shape extends z.ZodRawShape>(name: Name, input: Shape) =>
  z.strictObject({ name: z.literal(name), input: z.strictObject(input) });

export const hostedCall = z.discriminatedUnion('name', [
  hosted('DBOS.send', { workflow: workflowId, topic: key, body: serialised, idempotencyKey: z.string().nullable() }),
  /** Gives null when nothing came in time. */
  hosted('DBOS.recv', { workflow: workflowId, topic: key, timeoutMs }),
  hosted('DBOS.setEvent', { workflow: workflowId, key, value: serialised }),
  hosted('DBOS.getEvent', { workflow: workflowId, key, timeoutMs }),
  hosted('DBOS.writeStream', { workflow: workflowId, key, value: serialised }),
  hosted('DBOS.closeStream', { workflow: workflowId, key }),
]);
export type HostedCall = z.infer<typeof hostedCall>;

/** What goes with an `ask` frame, by question. Answers are JSON text. */
export const questionInputs = {
  /** Answered `true`, or rejected with code `admission-denied`. */
  admit: z.strictObject({}),
  /** Answered with the base URL. */
  service: z.strictObject({ name: z.string().min(1).max(200) }),
  /** Answered with the value as it is now, which goes nowhere else. */
  vault: z.strictObject({ name: z.string().min(1).max(200) }),
  /** Answered with a workflow status, or null. */
  'workflow-status': z.strictObject({ workflow: workflowId }),
  'list-workflows': z.strictObject({
    name: z.string().nullable(),
    status: z.string().nullable(),
    limit: z.int().positive().max(1000).nullable(),
  }),
  'list-steps': z.strictObject({ workflow: workflowId }),
  'cancel-workflow': z.strictObject({ workflow: workflowId }),
  'fork-workflow': z.strictObject({
    workflow: workflowId,
    startStep: z.int().nonnegative(),
    newWorkflow: workflowId.nullable(),
  }),
  /** Answered with the serialised value, or null. */
  'read-event': z.strictObject({ workflow: workflowId, key }),
  /** Answered with `{values, closed}`: serialised values from `from` on. */
  'read-stream': z.strictObject({ workflow: workflowId, key, from: z.int().nonnegative() }),
};

/** The answer to `workflow-status` and the items of `list-workflows`. Times are milliseconds since 1970. */
export type WorkflowStatus = {
  readonly workflow: string;
  readonly name: string;
  readonly status: 'PENDING' | 'SUCCESS' | 'ERROR' | 'CANCELLED' | 'ENQUEUED' | 'MAX_RECOVERY_ATTEMPTS_EXCEEDED';
  /** Serialised, or null. */
  readonly output: string | null;
  readonly error: Json;
  readonly input: Json;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly recoveryAttempts: number;
};

/** An item of the answer to `list-steps`. */
export type WorkflowStep = {
  readonly id: OperationId;
  readonly name: string;
  /** Serialised, or null. */
  readonly output: string | null;
  readonly error: Json;
  readonly childWorkflow: string | null;
  readonly startedAt: number;
  readonly completedAt: number | null;
};

/** Arguments of an operation of kind `child`, as JSON text in its record. */
export const childArguments = z.strictObject({ workflow: workflowId, name: z.string(), arguments: serialised });
