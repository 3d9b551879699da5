import { z } from 'zod';
import {
  limits,
  operationKinds,
  operationStates,
  parseOperationId,
  type OperationId,
  type Outcome,
} from '../core/index.ts';
import { wireError } from './error-schema.ts';
import { json, jsonObject } from './json-schema.ts';

/**
 * Frames between a host and a relay's process, over file descriptor 3: one JSON object a line, at most
 * `limits.frameBytes` with its line end. Values and arguments of operations are serialised text that the host does
 * not read. DESIGN.md section 6.
 */
export const protocolVersion = 1;

export const operationId = z.custom<OperationId>(
  (value) => typeof value === 'string' && value.length <= 200 && parseOperationId(value) !== null,
  'expected an operation id such as 3 or 3.0',
);
const text = z.string().max(limits.frameBytes);
const shortText = z.string().max(1000);
const callNumber = z.int().nonnegative();

export const outcome: z.ZodType<Outcome> = z.discriminatedUnion('ok', [
  z.strictObject({ ok: z.literal(true), value: text }),
  z.strictObject({ ok: z.literal(false), error: wireError }),
]);

/** Operations that the host carries out: it records the intent, acts, records the checkpoint and answers. */
const hostedKinds = [
  'agent',
  'mcp',
  'send',
  'recv',
  'event',
] as const satisfies readonly (typeof operationKinds)[number][];
export type HostedKind = (typeof hostedKinds)[number];

/** Questions that leave no operation in history. Each is answered by one `reply`. */
const questions = [
  'admit',
  'service',
  'vault',
  'workflow-status',
  'list-workflows',
  'list-steps',
  'cancel-workflow',
  'fork-workflow',
  'read-event',
  'read-stream',
] as const;
export type Question = (typeof questions)[number];

/** What a relay's process says. */
export const fromChild = z.discriminatedUnion('tag', [
  z.strictObject({ tag: z.literal('hello'), protocol: z.int(), pid: z.int(), node: shortText }),
  /** The body starts at once, or after the `ack` when `wait` is set. */
  z.strictObject({
    tag: z.literal('intend'),
    id: operationId,
    kind: z.enum(operationKinds),
    name: shortText,
    arguments: text.nullable(),
    repeatable: z.boolean(),
    source: shortText.nullable(),
    wait: z.boolean(),
  }),
  /** Answered by an `ack` once it is durable. */
  z.strictObject({ tag: z.literal('checkpoint'), id: operationId, outcome }),
  z.strictObject({ tag: z.literal('reused'), id: operationId, diverged: z.boolean(), arguments: text.nullable() }),
  z.strictObject({
    tag: z.literal('try'),
    id: operationId,
    number: z.int().positive(),
    error: wireError,
    retryInMs: z.number().nonnegative().nullable(),
  }),
  /** Asks the host to carry an operation out; answered by `settled`. `input` is the call's own, `arguments` what identifies it. */
  z.strictObject({
    tag: z.literal('perform'),
    id: operationId,
    kind: z.enum(hostedKinds),
    name: shortText,
    arguments: text.nullable(),
    repeatable: z.boolean(),
    source: shortText.nullable(),
    input: json,
  }),
  z.strictObject({
    tag: z.literal('ask'),
    call: callNumber,
    question: z.enum(questions),
    operation: operationId.nullable(),
    input: json,
  }),
  /** The answer to a `tool` frame: a result as JSON text, or what the callback threw. */
  z.strictObject({ tag: z.literal('tool-result'), call: callNumber, outcome }),
  z.strictObject({
    tag: z.literal('log'),
    level: z.enum(['debug', 'info', 'warn', 'error']),
    message: text,
    operation: operationId.nullable(),
    fields: jsonObject,
  }),
  /** `maxRecoveryAttempts` of the registered workflow, when it lowers the budget. */
  z.strictObject({ tag: z.literal('budget'), attempts: z.int().positive() }),
  /** The answer to `wait-for-intents`: every `intend` after it has `wait` set. */
  z.strictObject({ tag: z.literal('waits-for-intents') }),
  /** The run's end. `value` is JSON text. `nondeterminism` and `cancelled` cannot be caught by the relay's own code. */
  z.strictObject({ tag: z.literal('result'), end: z.enum(['returned', 'nondeterminism', 'cancelled']), outcome }),
]);
export type FromChild = z.infer<typeof fromChild>;

const historyEntry = z.strictObject({
  id: operationId,
  kind: z.enum(operationKinds),
  name: shortText,
  arguments: text.nullable(),
  repeatable: z.boolean(),
  state: z.enum(operationStates),
  outcome: outcome.nullable(),
});

/** Why a tool's code is called: to do its work, or to find out what a call left that was interrupted. */
const toolPurposes = ['run', 'recover'] as const;

/** What a host says to a relay's process. */
export const toChild = z.discriminatedUnion('tag', [
  /** Parts of the run's history, in program order, before `start`; as many frames as it takes. */
  z.strictObject({ tag: z.literal('history'), entries: z.array(historyEntry) }),
  z.strictObject({
    tag: z.literal('start'),
    run: z.string(),
    attempt: z.int().positive(),
    /** JSON text. */
    input: text,
    variables: z.record(z.string(), z.string()),
    /** The compiled entry, an absolute path. */
    bundle: z.string(),
    /** The relay's own folder in that of its run. */
    runDir: z.string(),
    attemptBudget: z.int().positive(),
    deadlineAt: z.number(),
    /** Set while a crash point needs it: every body waits until its intent is durable. */
    waitForIntents: z.boolean(),
  }),
  z.strictObject({ tag: z.literal('ack'), id: operationId, phase: z.enum(['intent', 'checkpoint']) }),
  z.strictObject({ tag: z.literal('settled'), id: operationId, outcome }),
  z.strictObject({ tag: z.literal('reply'), call: callNumber, outcome }),
  /**
   * Calls a tool's function in the relay's process, for the agent of operation `id`, or with `recover` the callback that
   * says what became of such a call. `operation` is the call's own in the journal of an agent that has one. `arguments`
   * is JSON text.
   */
  z.strictObject({
    tag: z.literal('tool'),
    call: callNumber,
    id: operationId,
    operation: operationId.nullable(),
    purpose: z.enum(toolPurposes),
    name: shortText,
    arguments: text,
  }),
  z.strictObject({ tag: z.literal('cancel'), reason: z.string() }),
  /** A crash point was armed after the start: from now on every body waits until its intent is durable. */
  z.strictObject({ tag: z.literal('wait-for-intents') }),
  /** The operation's body goes on with its next try at once. Nothing happens when it does not wait for one. */
  z.strictObject({ tag: z.literal('retry-now'), id: operationId }),
  /** A crash point's exit: the process ends at once with this code. */
  z.strictObject({ tag: z.literal('exit'), code: z.int() }),
]);
export type ToChild = z.infer<typeof toChild>;
