import { z } from 'zod';
import { limits, newRunId, runStates } from '../core/index.ts';
import { operationId } from './child-protocol.ts';
import { jsonObject, json } from './json-schema.ts';
import { attempt, event, operation, operationDetail, receipt, run } from './run.ts';
import { runFile, runFileContent, runGraph, serviceRecord } from './run-evidence.ts';

/** Calls of the client API on one run, or on the list of them. */
const runId = z.string().min(1).max(200);
const newRun = z.string().regex(newRunId.pattern, newRunId.expected);
const revision = z.int().nonnegative();
const pageLimit = z.int().min(1).max(1000);
const crashPlan = z.array(z.string().max(1000)).max(100);
const recovery = z.enum(['off', 'immediate']);
const command = { run: runId, revision };

const runDetail = z.strictObject({
  run,
  attempts: z.array(attempt),
  /** The first page of them, in program order. */
  operations: z.array(operation),
});
export type RunDetail = z.infer<typeof runDetail>;

export const runCalls = {
  /** Publishes the folder's content as a release and starts a run of it. Resolves once the run is durable. */
  'run/start': {
    takes: z.strictObject({
      folder: z.string().min(1),
      /** JSON text, so that its size is counted as the person gave it. */
      input: z.string(),
      id: newRun.nullable(),
      crashPlan,
      recovery,
    }),
    gives: run,
  },
  /** Resolves when the run is at rest: ended, interrupted, or in need of a person. */
  'run/settled': { takes: z.strictObject({ run: runId }), gives: runDetail },
  'run/list': {
    takes: z.strictObject({
      before: z.strictObject({ createdAt: z.number(), id: runId }).nullable(),
      limit: pageLimit,
      relay: z.string().nullable(),
      state: z.enum(runStates).nullable(),
    }),
    gives: z.array(run),
  },
  'run/show': { takes: z.strictObject({ run: runId }), gives: runDetail },
  'run/operations': {
    takes: z.strictObject({ run: runId, after: operationId.nullable(), limit: pageLimit }),
    gives: z.array(operation),
  },
  'run/events': {
    takes: z.strictObject({ run: runId, after: z.int().nonnegative(), limit: pageLimit }),
    gives: z.array(event),
  },
  /** One operation whole: arguments, outcome, receipts, every failed try. */
  'run/operation': { takes: z.strictObject({ run: runId, operation: operationId }), gives: operationDetail },
  'run/receipts': { takes: z.strictObject({ run: runId, operation: operationId.nullable() }), gives: z.array(receipt) },
  /** Admits the run again under its bindings and starts the next attempt. */
  'run/recover': { takes: z.strictObject({ ...command, crashPlan, recovery: recovery.nullable() }), gives: run },
  /** Asks the run to stop; it is killed when it has not after the grace time. */
  'run/cancel': {
    takes: z.strictObject({ ...command, graceMs: z.int().min(0).max(limits.runMs).nullable() }),
    gives: run,
  },
  /** Kills the run's process now, as a crash. */
  'run/kill': { takes: z.strictObject(command), gives: run },
  /** A new run from a chosen operation; what came before it is reused. `input` null keeps the run's own. */
  'run/fork': {
    takes: z.strictObject({
      run: runId,
      operation: operationId,
      id: newRun.nullable(),
      input: z.string().nullable(),
      crashPlan,
      recovery,
    }),
    gives: run,
  },
  'run/reconcile': {
    takes: z.strictObject({
      ...command,
      operation: operationId,
      decision: z.discriminatedUnion('kind', [
        /** The value is the result that the relay will see. */
        z.strictObject({ kind: z.literal('accept'), value: json }),
        z.strictObject({ kind: z.literal('again') }),
        z.strictObject({ kind: z.literal('fail'), message: z.string().max(10_000) }),
      ]),
      by: z.string().min(1).max(200),
      crashPlan,
    }),
    gives: run,
  },
  /** Everything the ledger holds of the run, as one JSON object. */
  'run/export': { takes: z.strictObject({ run: runId }), gives: jsonObject },
  /** Arms a crash point for the living attempt. Throws `wrong-state` when there is none: give a plan to recover then. */
  'run/arm': { takes: z.strictObject({ run: runId, point: z.string().max(1000) }), gives: attempt },
  /** Withdraws a point that is armed and has not fired. */
  'run/disarm': { takes: z.strictObject({ run: runId, point: z.string().max(1000) }), gives: attempt },
  /** Lets a step that waits between two tries go on at once. Throws `wrong-state` when it does not wait. */
  'run/retry-now': { takes: z.strictObject({ run: runId, operation: operationId }), gives: z.null() },
  /** Files of the run's folder, sorted by path. */
  'run/files': { takes: z.strictObject({ run: runId }), gives: z.array(runFile) },
  'run/file': {
    takes: z.strictObject({
      run: runId,
      path: z.string().min(1).max(1000),
      offset: z.int().nonnegative(),
      limit: z
        .int()
        .min(1)
        .max(256 * 1024),
    }),
    gives: runFileContent,
  },
  /** What the lab's services saw of the run, read from their own databases, in the order of the requests. */
  'run/service-records': { takes: z.strictObject({ run: runId }), gives: z.array(serviceRecord) },
  /** What happened, as a graph: operations of all attempts, and what led from one to the next. */
  'run/graph': { takes: z.strictObject({ run: runId }), gives: runGraph },
} satisfies Record<string, { takes: z.ZodType; gives: z.ZodType }>;
