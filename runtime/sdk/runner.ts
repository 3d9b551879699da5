import { pathToFileURL } from 'node:url';
import type { ToChild } from '../contract/index.ts';
import { LabError, limits } from '../core/index.ts';
import { watchCallsFrom } from './call-site.ts';
import { legacyContext } from './legacy.ts';
import { inScope, workflowScope } from './scope.ts';
import { theSession } from './session.ts';
import { furnish } from './surroundings.ts';
import { toJson } from './values.ts';
import { allStartedOver, checkedArguments, registrationOf, type Registration } from './workflow.ts';

type StartFrame = Extract<ToChild, { tag: 'start' }>;
type Program = (this: unknown, ...args: unknown[]) => unknown;

/** Runs the relay once, from its entry's import to the run's result. Never rejects. */
export async function runRelay(start: StartFrame): Promise<void> {
  const session = theSession();
  furnish(start.variables, start.runDir);
  const url = pathToFileURL(start.bundle).href;
  watchCallsFrom(url);
  process.setSourceMapsEnabled(true);
  try {
    const program = programOf(await import(url));
    const scope = workflowScope(session.workflow, null);
    session.release();
    const result = await inScope(scope, () => Promise.try(() => callProgram(program, start)));
    scope.life.over = true;
    await allStartedOver();
    session.end('returned', { ok: true, value: resultText(result) });
  } catch (thrown) {
    await allStartedOver();
    session.fail(thrown);
  }
}

function programOf(entry: unknown): Program {
  const run: unknown = (entry as { run?: unknown }).run;
  if (typeof run === 'function') return run as Program;
  throw new LabError(
    'publish-failed',
    `the entry's export "run" is ${run === undefined ? 'missing' : typeof run}; expected a function`,
    'Export a workflow registered with DBOS.registerWorkflow, or a function run(input, ctx).',
  );
}

function callProgram(program: Program, start: StartFrame): unknown {
  const input: unknown = JSON.parse(start.input);
  const registration = registrationOf(program);
  if (registration === undefined) return program.call(undefined, input, legacyContext());
  lowerBudget(registration, start.attemptBudget);
  return registration.body.apply(undefined, checkedArguments(registration, [input]));
}

function lowerBudget({ config }: Registration, budget: number): void {
  const attempts = config.maxRecoveryAttempts ?? 0;
  if (attempts >= 1 && attempts < budget) theSession().send({ tag: 'budget', attempts: Math.floor(attempts) });
}

function resultText(result: unknown): string {
  const text = JSON.stringify(toJson(result, 'result'));
  const bytes = Buffer.byteLength(text);
  if (bytes <= limits.resultBytes) return text;
  throw new LabError(
    'too-large',
    `the run's result is ${bytes} bytes of JSON; at most ${limits.resultBytes} are kept`,
    'Return less: keep large data in a file of the run’s folder and return its name.',
    { bytes, limit: limits.resultBytes },
  );
}
