import {
  DBOSAwaitedWorkflowCancelledError,
  DBOSInvalidWorkflowInputError,
  DBOSInvalidWorkflowTransitionError,
} from './dbos-errors.ts';
import { absent } from './absent.ts';
import { recorded } from './built-in.ts';
import { identify } from './identity.ts';
import { operate, type Standing } from './operation.ts';
import {
  cancelWorkflowHere,
  currentScope,
  inScope,
  isCancelled,
  newWorkflow,
  workflowScope,
  type Scope,
  type Workflow,
} from './scope.ts';
import { decode, encode } from './values.ts';

export interface WorkflowConfig {
  name?: string;
  maxRecoveryAttempts?: number;
  serialization?: 'native' | 'portable' | undefined;
  inputSchema?: { parse(input: unknown): unknown };
}

/** A function registered as a workflow. */
export interface Registration {
  readonly name: string;
  readonly config: WorkflowConfig;
  readonly body: (this: unknown, ...args: unknown[]) => unknown;
}

/** A workflow that this run has started. */
interface StartedWorkflow {
  readonly workflow: Workflow;
  readonly result: Promise<unknown>;
}

const registrations = new WeakMap<object, Registration>();
const started = new Map<string, StartedWorkflow>();

export function registrationOf(value: unknown): Registration | undefined {
  return typeof value === 'function' ? registrations.get(value) : undefined;
}

export function startedWorkflow(id: string): StartedWorkflow | undefined {
  return started.get(id);
}

/** Resolves when every workflow that the run has started is over, however it ended. */
export async function allStartedOver(): Promise<void> {
  for (let count = -1; count !== started.size;) {
    count = started.size;
    await Promise.allSettled([...started.values()].map(({ result }) => result));
  }
}

/** Makes a function that runs `body` as a workflow of its own when a workflow calls it. */
export function registerWorkflow(
  name: string,
  config: WorkflowConfig,
  body: Registration['body'],
): Registration['body'] {
  if (config.serialization === 'portable') absent("the workflow option serialization: 'portable'");
  const registration = { name, config, body };
  const call = async function (this: unknown, ...args: unknown[]): Promise<unknown> {
    return beginWorkflow(registration, this, args, { wait: false }).result;
  };
  Object.defineProperty(call, 'name', { value: name });
  registrations.set(call, registration);
  return call;
}

/** The arguments that the workflow's function gets, checked by its `inputSchema`. */
export function checkedArguments({ config }: Registration, args: unknown[]): unknown[] {
  return config.inputSchema === undefined ? args : (config.inputSchema.parse(args) as unknown[]);
}

export interface StartOptions {
  readonly workflowID?: string;
  readonly timeoutMS?: number | null;
  /** Whether the workflow begins only once it stands in history durably. */
  readonly wait: boolean;
}

interface Beginning extends StartedWorkflow {
  /** Resolves once the workflow stands in history. */
  readonly standing: Promise<void>;
}

/** Begins a workflow as an operation of the one that calls. Its numbers are taken at once. */
export function beginWorkflow(
  registration: Registration,
  self: unknown,
  args: unknown[],
  options: StartOptions,
): Beginning {
  const scope = callingWorkflow(registration.name);
  const timeoutMs = options.timeoutMS === undefined ? scope.workflowTimeoutMs : options.timeoutMS;
  // The time limit is an operation of its own before the workflow's, so that a recovery does not give it anew.
  const limit =
    typeof timeoutMs === 'number' ? recorded('DBOS.workflowTimeout', [timeoutMs], () => Date.now() + timeoutMs) : null;
  const id = options.workflowID ?? takeNextId(scope) ?? `${scope.workflow.id}-${scope.numbers.next}`;
  const existing = started.get(id);
  const workflow =
    existing?.workflow ?? newWorkflow(id, scope.workflow, timeoutMs === null ? null : scope.workflow.deadlineAt);
  const given = encodeArguments(registration.name, args);
  const standing = Promise.withResolvers<void>();
  const result = operate({
    kind: 'child',
    name: registration.name,
    arguments: JSON.stringify({ workflow: id, name: registration.name, arguments: identify(given) }),
    repeatable: true,
    wait: options.wait,
    onStanding: standing.resolve,
    body: async (operation) => {
      if (existing !== undefined) return existing.result;
      if (limit !== null) workflow.deadlineAt = await limit;
      return runWorkflow(registration, self, decode(given) as unknown[], workflow, operation);
    },
  });
  // Each is looked at by whoever needs it; that nobody does must not end the run.
  limit?.catch(() => undefined);
  standing.promise.catch(() => undefined);
  result.catch(standing.reject);
  const beginning = { workflow, result, standing: standing.promise };
  if (existing === undefined) started.set(id, beginning);
  return beginning;
}

async function runWorkflow(
  registration: Registration,
  self: unknown,
  args: unknown[],
  workflow: Workflow,
  operation: Standing,
): Promise<unknown> {
  const scope = workflowScope(workflow, operation.id);
  const left = workflow.deadlineAt === null ? null : Math.max(0, workflow.deadlineAt - Date.now());
  const timer = left === null ? null : setTimeout(() => cancelWorkflowHere(workflow), left);
  try {
    const values = checkedArguments(registration, args);
    return await inScope(scope, () => Promise.try(() => registration.body.apply(self, values)));
  } catch (thrown) {
    throw isCancelled(workflow) ? new DBOSAwaitedWorkflowCancelledError(workflow.id) : thrown;
  } finally {
    scope.life.over = true;
    if (timer !== null) clearTimeout(timer);
  }
}

function callingWorkflow(name: string): Scope {
  const scope = currentScope();
  if (scope === undefined) {
    throw new DBOSInvalidWorkflowTransitionError(
      `workflow ${name} can be called only inside the run: the platform starts it`,
    );
  }
  if (scope.kind === 'workflow') return scope;
  throw new DBOSInvalidWorkflowTransitionError(
    'Invalid call to a `workflow` function from within a `step` or `transaction`',
  );
}

function takeNextId({ nextWorkflowId }: Scope): string | null {
  const id = nextWorkflowId.value;
  nextWorkflowId.value = null;
  return id;
}

function encodeArguments(name: string, args: unknown[]): string {
  try {
    return encode(args, 'arguments');
  } catch (thrown) {
    throw new DBOSInvalidWorkflowInputError(name, thrown);
  }
}
