import type { Evidence, ScenarioResult } from '../runtime/contract/index.ts';
import { asLabError } from '../runtime/core/index.ts';
import type { Finding } from './claim.ts';
import type { EvidenceProgress, Scenario, ScenarioLab } from './scenario.ts';
import { Stage } from './stage.ts';

const deadlineMs = 120_000;
/** The evidence that a scenario which went wrong ends with. */
const ranToEnd = { name: 'the scenario', expected: 'ran to its end' };

/**
 * Plays a scenario and gives its evidence. `onProgress` gets every expected piece as pending, then each as it becomes
 * known. Never rejects and never hangs: what the scenario throws, or that it is not over within `limitMs`, is a failed
 * piece of evidence itself, and whatever it did not get to has failed.
 */
export async function runScenario(
  scenario: Scenario,
  lab: ScenarioLab,
  onProgress: (evidence: EvidenceProgress) => void,
  limitMs = deadlineMs,
): Promise<ScenarioResult> {
  const found = new Map<string, Evidence>();
  for (const { name, expected } of scenario.expects) onProgress({ name, expected, actual: null, ok: null });
  const keep = ({ name, expected }: { name: string; expected: string }, finding: Finding): void => {
    const evidence = { name, expected, ...finding };
    found.set(name, evidence);
    onProgress(evidence);
  };

  const over = new AbortController();
  const stage = new Stage(lab, over.signal, (name, finding) => {
    const expectation = scenario.expects.find((one) => one.name === name);
    if (expectation === undefined) throw new Error(`${scenario.name} proves "${name}", which is not on its list`);
    keep(expectation, finding);
  });
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const reason = new Error(`it was not over after ${limitMs / 1000} s`);
    over.abort(reason);
    late.reject(reason);
  }, limitMs);
  try {
    await Promise.race([scenario.play(stage), late.promise]);
  } catch (thrown) {
    keep(ranToEnd, { actual: describe(thrown), ok: false });
    // Nobody waits for it: a lab that hangs must not hold up the verdict.
    void stage.clear().catch(() => {});
  } finally {
    clearTimeout(timer);
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

function describe(thrown: unknown): string {
  const { code, message, next } = asLabError(thrown);
  if (code === 'internal') return thrown instanceof Error ? thrown.message : message;
  return `${code}: ${message}${next === '' ? '' : ` (${next})`}`;
}
