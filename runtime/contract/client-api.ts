import { z } from 'zod';
import { limits, newRunId, runStates } from '../core/index.ts';
import { operationId } from './child-protocol.ts';
import { jsonObject, json } from './json-schema.ts';
import { attempt, event, operation, permission, receipt, run, type LabEvent } from './run.ts';

/**
 * The client API (DESIGN.md section 10): each call once, as a row of schemas for what it takes and gives. Command line,
 * page and tests use it alike, in one process or over any message port. Failures are LabErrors.
 */
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

const evidence = z.strictObject({ name: z.string(), expected: z.string(), actual: z.string(), ok: z.boolean() });
const scenarioResult = z.strictObject({
  scenario: z.string(),
  ok: z.boolean(),
  runId: z.string().nullable(),
  evidence: z.array(evidence),
});
export type Evidence = z.infer<typeof evidence>;
export type ScenarioResult = z.infer<typeof scenarioResult>;

/** `ok` is null for what is not there and need not be, and yet is worth knowing. */
const check = z.strictObject({ name: z.string(), ok: z.boolean().nullable(), detail: z.string() });
export type DoctorCheck = z.infer<typeof check>;

export const calls = {
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
  'permission/list': { takes: z.strictObject({}), gives: z.array(permission) },
  'permission/set': {
    takes: z.strictObject({
      resource: z.string().regex(/^(relay|mcp|service):.+$/),
      granted: z.boolean(),
      by: z.string().min(1),
    }),
    gives: permission,
  },
  'scenario/list': {
    takes: z.strictObject({}),
    gives: z.array(
      z.strictObject({
        name: z.string(),
        title: z.string(),
        relay: z.string(),
        crashPlan: z.array(z.string()),
        expects: z.array(z.string()),
      }),
    ),
  },
  'scenario/run': { takes: z.strictObject({ name: z.string() }), gives: scenarioResult },
  doctor: { takes: z.strictObject({}), gives: z.array(check) },
} satisfies Record<string, { takes: z.ZodType; gives: z.ZodType }>;

export type CallName = keyof typeof calls;
export type Takes<N extends CallName> = z.output<(typeof calls)[N]['takes']>;
export type Gives<N extends CallName> = z.output<(typeof calls)[N]['gives']>;

/** What serves the API: one handler a row, so that a missing one does not compile. */
export type Handlers = { readonly [N in CallName]: (input: Takes<N>) => Promise<Gives<N>> };

/** What calls it. Events of a run come in order, each once, from `after` on, until the returned function is called. */
export interface LabClient {
  call<N extends CallName>(name: N, input: Takes<N>): Promise<Gives<N>>;
  follow(run: string, after: number, listener: (event: LabEvent) => void): () => void;
  close(): Promise<void>;
}
