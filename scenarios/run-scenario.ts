import type { Evidence, ScenarioResult } from '../runtime/contract/index.ts';
import { asLabError, LabError } from '../runtime/core/index.ts';
import type { Finding } from './claim.ts';
import type { EvidenceProgress, Scenario, ScenarioLab } from './scenario.ts';
import { Stage } from './stage.ts';

const deadlineMs = 120_000;
/** How long a cancelled scenario may take to kill its runs and to give back the permissions that it withdrew. */
const clearMs = 15_000;
/** The evidence that a scenario which went wrong ends with. */
const ranToEnd = { name: 'the scenario', expected: 'ran to its end' };

export interface ScenarioWatch {
  /** Gets every expected piece as pending, then each as it becomes known. */
  onEvidence(this: void, evidence: EvidenceProgress): void;
  /** Each run that it has started. */
  onRun(this: void, run: string): void;
  /** Cancels it. */
  readonly signal: AbortSignal;
  readonly limitMs?: number;
}

/**
 * Plays a scenario and gives its evidence. Never hangs, and rejects only with `cancelled`: what the scenario throws, or
 * that it is not over within `limitMs`, is a failed piece of evidence itself, and whatever it did not get to has failed.
 */
export async function runScenario(
  scenario: Scenario,
  lab: ScenarioLab,
  { onEvidence, onRun, signal, limitMs = deadlineMs }: ScenarioWatch,
): Promise<ScenarioResult> {
  const found = new Map<string, Evidence>();
  for (const { name, expected } of scenario.expects) onEvidence({ name, expected, actual: null, ok: null });
  const keep = ({ name, expected }: { name: string; expected: string }, finding: Finding): void => {
    const evidence = { name, expected, ...finding };
    found.set(name, evidence);
    onEvidence(evidence);
  };

  const over = new AbortController();
  const prove = (name: string, finding: Finding): void => {
    const expectation = scenario.expects.find((one) => one.name === name);
    if (expectation === undefined) throw new Error(`${scenario.name} proves "${name}", which is not on its list`);
    keep(expectation, finding);
  };
  const stage = new Stage(lab, over.signal, { prove, started: onRun });
  const cut = Promise.withResolvers<never>();
  over.signal.addEventListener('abort', () => cut.reject(over.signal.reason as Error));
  const timer = setTimeout(() => over.abort(new Error(`it was not over after ${limitMs / 1000} s`)), limitMs);
  const cancel = (): void =>
    over.abort(new LabError('cancelled', `the scenario ${scenario.name} was cancelled`, 'Run it again.'));
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel);
  const playing = Promise.try(() => scenario.play(stage));
  try {
    await Promise.race([playing, cut.promise]);
  } catch (thrown) {
    const clearing = Promise.allSettled([playing, stage.clear()]);
    if (signal.aborted) {
      await atMost(clearMs, clearing);
      throw over.signal.reason;
    }
    // Nobody waits for the clearing: a lab that hangs must not hold up the verdict.
    keep(ranToEnd, { actual: describe(thrown), ok: false });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    cut.promise.catch(() => undefined);
    over.abort(new Error('it is over'));
  }
  for (const expectation of scenario.expects) {
    if (!found.has(expectation.name)) keep(expectation, { actual: 'not reached', ok: false });
  }
  const evidence = [...scenario.expects, ranToEnd].flatMap(({ name }) => found.get(name) ?? []);
  return {
    scenario: scenario.name,
    ok: evidence.every(({ ok }) => ok),
    runId: stage.runs[0] ?? null,
    evidence,
  };
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}

function describe(thrown: unknown): string {
  const { code, message, next } = asLabError(thrown);
  if (code === 'internal') return thrown instanceof Error ? thrown.message : message;
  return `${code}: ${message}${next === '' ? '' : ` (${next})`}`;
}
