import { DBOSError, DBOSMaxStepRetriesError, DBOSStepTimeoutError } from './dbos-errors.ts';
import { identifyArguments, numberOf } from './identity.ts';
import { operate, type Standing } from './operation.ts';
import { waitToRetry } from './retry-waits.ts';
import { currentScope, inScope, workflowScope, type Scope } from './scope.ts';
import { theSession } from './session.ts';
import { keepThrown, reviveThrown } from './thrown.ts';

/** As in the DBOS SDK. Intervals in seconds, `timeoutMS` in milliseconds for one try. */
export interface StepConfig {
  retriesAllowed?: boolean;
  intervalSeconds?: number;
  maxAttempts?: number;
  backoffRate?: number;
  shouldRetry?: (error: unknown) => boolean | Promise<boolean>;
  timeoutMS?: number;
  name?: string;
}

const longestIntervalSeconds = 3600;

export function checkStepConfig(config: StepConfig, name: string): void {
  const { timeoutMS } = config;
  if (timeoutMS !== undefined && !(Number.isFinite(timeoutMS) && timeoutMS > 0)) {
    throw new DBOSError(`Invalid timeoutMS (${timeoutMS}) in configuration of step ${name}: must be a positive number`);
  }
}

export interface StepCall {
  readonly name: string;
  readonly config: StepConfig;
  readonly arguments: readonly unknown[];
  readonly body: () => unknown;
  /** The function of the sdk that the relay called. */
  readonly called: (...args: never[]) => unknown;
}

/** Runs a function as a step of the workflow that calls; as a plain call in a step, a tool, or outside a run. */
export function callStep({ name, config, arguments: args, body, called }: StepCall): Promise<unknown> {
  if (currentScope()?.kind !== 'workflow') return Promise.try(body);
  return operate({
    kind: 'step',
    name,
    arguments: identifyArguments(args),
    repeatable: true,
    wait: false,
    called,
    body: (standing) =>
      config.retriesAllowed === true ? runTries(name, config, standing, body) : runOnce(name, config, standing, body),
  });
}

/** Runs a step's body once, and says so when it fails. */
export async function runOnce(
  name: string,
  config: StepConfig,
  standing: Standing,
  body: () => unknown,
): Promise<unknown> {
  try {
    return await runTry(name, config, standing, { next: 0 }, null, body);
  } catch (thrown) {
    if (!standing.scope.workflow.cancellation.signal.aborted) sayTry(standing, 1, thrown, null);
    throw thrown;
  }
}

async function runTries(name: string, config: StepConfig, standing: Standing, body: () => unknown): Promise<unknown> {
  const { maxAttempts = 3, backoffRate = 2, intervalSeconds = 1 } = config;
  const { signal } = standing.scope.workflow.cancellation;
  let interval = Math.min(intervalSeconds, longestIntervalSeconds);
  // One for all tries: a nested call of a later try is another operation than that of an earlier one.
  const numbers = { next: 0 };
  const errors: Error[] = [];
  for (let number = 1; number <= maxAttempts; number += 1) {
    try {
      return await runTry(name, config, standing, numbers, number, body);
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      const end = await endOfTries(config.shouldRetry, thrown);
      const retryInMs = end === null && number < maxAttempts ? interval * 1000 : null;
      sayTry(standing, number, thrown, retryInMs);
      if (end !== null) throw end.error;
      errors.push(reviveThrown(keepThrown(thrown)));
      if (retryInMs !== null) await waitToRetry(standing.id, retryInMs, signal);
      interval = Math.min(interval * backoffRate, longestIntervalSeconds);
    }
  }
  throw new DBOSMaxStepRetriesError(name, maxAttempts, errors);
}

/** What the step fails with at once because of `shouldRetry`; null when it may be tried again. */
async function endOfTries(shouldRetry: StepConfig['shouldRetry'], thrown: unknown): Promise<{ error: unknown } | null> {
  if (shouldRetry === undefined) return null;
  try {
    return (await shouldRetry(thrown)) ? null : { error: thrown };
  } catch (error) {
    return { error };
  }
}

function sayTry({ id }: Standing, number: number, thrown: unknown, retryInMs: number | null): void {
  theSession().send({ tag: 'try', id, number, error: keepThrown(thrown), retryInMs });
}

async function runTry(
  name: string,
  config: StepConfig,
  { id, scope }: Standing,
  numbers: Scope['numbers'],
  number: number | null,
  body: () => unknown,
): Promise<unknown> {
  const { workflow } = scope;
  const session = theSession();
  const timeout = config.timeoutMS === undefined ? null : startTimeout(name, config.timeoutMS);
  const life = { over: false };
  const step = {
    stepID: numberOf(id),
    currentAttempt: number ?? undefined,
    maxAttempts: number === null ? undefined : (config.maxAttempts ?? 3),
    timeoutSignal: timeout?.signal,
    get cancelSignal(): AbortSignal {
      // Whoever looks at it may wait for it alone.
      session.stay();
      return workflow.cancellation.signal;
    },
  };
  const within: Scope = { ...workflowScope(workflow, id), kind: 'step', numbers, life, step };
  try {
    const settled = inScope(within, () => Promise.try(body));
    return await (timeout === null ? settled : Promise.race([settled, timeout.passed]));
  } finally {
    // What a try left behind, also one that ran out of time, may begin nothing any more.
    life.over = true;
    timeout?.stop();
  }
}

interface Timeout {
  readonly signal: AbortSignal;
  /** Rejects when the time is over. */
  readonly passed: Promise<never>;
  stop(): void;
}

function startTimeout(name: string, timeoutMs: number): Timeout {
  const controller = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new DBOSStepTimeoutError(name, timeoutMs);
    controller.abort(error);
    reject(error);
  }, timeoutMs);
  return { signal: controller.signal, passed: promise, stop: () => clearTimeout(timer) };
}
