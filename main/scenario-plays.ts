import type { Feeds, ScenarioProgress, ScenarioResult } from '../runtime/contract/index.ts';
import { LabError, type Clock } from '../runtime/core/index.ts';
import type { EvidenceProgress, Scenario, ScenarioWatch } from '../scenarios/index.ts';
import { openPump } from './feeds/pump.ts';

export interface ScenarioPlays {
  /** Joins the one that is queued or at work already. Rejects with `cancelled`. */
  run(scenario: Scenario): Promise<ScenarioResult>;
  /** Resolves when nothing of it is left. Throws `wrong-state` when it is neither queued nor at work. */
  cancel(scenario: Scenario): Promise<void>;
  readonly follow: Feeds['scenario/progress'];
  /** Cancels all. */
  close(): Promise<void>;
}

interface Play {
  readonly scenario: Scenario;
  progress: ScenarioProgress;
  readonly cancelling: AbortController;
  readonly end: PromiseWithResolvers<ScenarioResult>;
}

/**
 * What was asked for in this host, one at a time: some scenarios change permissions that others rest on. The state of
 * each is kept here, so that whoever follows later sees it too.
 */
export function openScenarioPlays(
  play: (scenario: Scenario, watch: ScenarioWatch) => Promise<ScenarioResult>,
  clock: Clock,
): ScenarioPlays {
  /** The latest of each name, in the order in which they were asked for. */
  const plays = new Map<string, Play>();
  const followers = new Set<(name: string) => void>();
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  function change(one: Play, changes: Partial<ScenarioProgress>): void {
    one.progress = { ...one.progress, ...changes };
    for (const tell of followers) tell(one.scenario.name);
  }

  async function take(one: Play): Promise<void> {
    if (!isOpen(one)) return;
    change(one, { state: 'playing', startedAt: clock.now() });
    try {
      const result = await play(one.scenario, {
        onEvidence: (evidence) => change(one, { evidence: withPiece(one.progress.evidence, evidence) }),
        onRun: (run) => change(one, { runs: [...one.progress.runs, run] }),
        signal: one.cancelling.signal,
      });
      change(one, { state: result.ok ? 'proved' : 'failed', finishedAt: clock.now() });
      one.end.resolve(result);
    } catch (thrown) {
      const state = one.cancelling.signal.aborted ? 'cancelled' : 'failed';
      change(one, { state, finishedAt: clock.now() });
      one.end.reject(thrown);
    }
  }

  async function stop(one: Play): Promise<void> {
    one.cancelling.abort();
    if (one.progress.state === 'queued') {
      change(one, { state: 'cancelled', finishedAt: clock.now() });
      one.end.reject(new LabError('cancelled', `the scenario ${one.scenario.name} was cancelled before its turn came`));
    }
    await one.end.promise.catch(() => undefined);
  }

  return {
    run(scenario) {
      const known = plays.get(scenario.name);
      if (known !== undefined && isOpen(known) && !known.cancelling.signal.aborted) return known.end.promise;
      if (isClosed) return Promise.reject(new LabError('locked', 'this host is closing and plays nothing any more'));
      const one: Play = {
        scenario,
        progress: queued(scenario),
        cancelling: new AbortController(),
        end: Promise.withResolvers<ScenarioResult>(),
      };
      // A cancelled one may have lost everybody who waited for it.
      one.end.promise.catch(() => undefined);
      plays.delete(scenario.name);
      plays.set(scenario.name, one);
      change(one, {});
      last = last.then(() => take(one));
      return one.end.promise;
    },
    async cancel({ name }) {
      const one = plays.get(name);
      if (one !== undefined && isOpen(one)) return stop(one);
      const found = one === undefined ? 'was not asked for in this host' : `is over: ${one.progress.state}`;
      throw new LabError(
        'wrong-state',
        `the scenario ${name} ${found}`,
        'Only one that is queued or at work is cancelled.',
      );
    },
    follow(_nothing, outlet) {
      const changed = new Set(plays.keys());
      const pump = openPump({
        everyMs: 0,
        async work(stopped) {
          for (const name of changed) {
            if (stopped.aborted) return;
            changed.delete(name);
            const one = plays.get(name);
            if (one !== undefined) await outlet.give(one.progress);
          }
        },
        release: () => void followers.delete(tell),
        fail: (error) => outlet.fail(error),
      });
      const tell = (name: string): void => {
        changed.add(name);
        pump.wake();
      };
      followers.add(tell);
      pump.wake();
      return pump.stop;
    },
    async close() {
      isClosed = true;
      await Promise.all([...plays.values()].filter(isOpen).map(stop));
    },
  };
}

function isOpen({ progress }: Play): boolean {
  return progress.state === 'queued' || progress.state === 'playing';
}

function queued({ name, expects }: Scenario): ScenarioProgress {
  const evidence = expects.map((one) => ({ name: one.name, expected: one.expected, actual: null, ok: null }));
  return { scenario: name, state: 'queued', startedAt: null, finishedAt: null, runs: [], evidence };
}

function withPiece(all: ScenarioProgress['evidence'], piece: EvidenceProgress): ScenarioProgress['evidence'] {
  const { name, expected, actual, ok } = piece;
  const known = all.some((one) => one.name === name);
  const kept = { name, expected, actual, ok };
  return known ? all.map((one) => (one.name === name ? kept : one)) : [...all, kept];
}
