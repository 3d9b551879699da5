import { describe, expect, it } from 'vitest';
import { openScenarioPlays, type ScenarioPlays } from '../../main/scenario-plays.ts';
import type { ScenarioProgress, ScenarioResult } from '../../runtime/contract/index.ts';
import { LabError } from '../../runtime/core/index.ts';
import type { Scenario, ScenarioWatch } from '../../scenarios/index.ts';

const colour = { name: 'colour', expected: 'green' };

function named(name: string): Scenario {
  return { name, title: '', relay: 'none', crashPlan: [], expects: [colour], play: () => Promise.resolve() };
}

interface Played {
  readonly name: string;
  readonly watch: ScenarioWatch;
  end(ok: boolean): void;
}

/** Scenarios that go on as the test says: the others are real. */
class Script {
  readonly #begun: ((played: Played) => void)[] = [];
  readonly #waiting: Played[] = [];
  count = 0;
  #now = 0;
  readonly plays: ScenarioPlays = openScenarioPlays((scenario, watch) => this.#play(scenario, watch), {
    now: () => (this.#now += 1),
  });

  #play({ name }: Scenario, watch: ScenarioWatch): Promise<ScenarioResult> {
    this.count += 1;
    return new Promise((resolve, reject) => {
      const played: Played = {
        name,
        watch,
        end(ok) {
          const evidence = { ...colour, actual: ok ? 'green' : 'red', ok };
          watch.onEvidence(evidence);
          resolve({ scenario: name, ok, runId: null, evidence: [evidence] });
        },
      };
      watch.signal.addEventListener('abort', () => reject(new LabError('cancelled', 'it was')));
      const next = this.#begun.shift();
      if (next === undefined) this.#waiting.push(played);
      else next(played);
    });
  }

  /** The next that begins. */
  begun(): Promise<Played> {
    const there = this.#waiting.shift();
    return there === undefined ? new Promise((resolve) => this.#begun.push(resolve)) : Promise.resolve(there);
  }
}

/** Everything that a follower is given, by the time that it has seen what fits. */
function follow(plays: ScenarioPlays, until: (item: ScenarioProgress) => boolean): Promise<ScenarioProgress[]> {
  const items: ScenarioProgress[] = [];
  return new Promise((resolve, reject) => {
    const stop = plays.follow(
      {},
      {
        give(item) {
          items.push(item);
          if (!until(item)) return;
          stop();
          resolve(items);
        },
        fail: reject,
      },
    );
  });
}

describe('scenarios that were asked for', () => {
  it('are played one after the other, and each is told with its times, runs and evidence as it goes on', async () => {
    const { plays, ...script } = withBegun(new Script());
    const told = follow(plays, ({ scenario, state }) => scenario === 'b' && state === 'failed');
    const [first, second] = [plays.run(named('a')), plays.run(named('b'))];
    const a = await script.begun();
    a.watch.onRun('run-1');
    a.end(true);
    expect(await first).toMatchObject({ scenario: 'a', ok: true });
    (await script.begun()).end(false);
    expect(await second).toMatchObject({ scenario: 'b', ok: false });
    const items = await told;
    const last = (name: string) => items.findLast(({ scenario }) => scenario === name);
    expect(last('a')).toEqual({
      scenario: 'a',
      state: 'proved',
      startedAt: 1,
      finishedAt: 2,
      runs: ['run-1'],
      evidence: [{ ...colour, actual: 'green', ok: true }],
    });
    expect(last('b')).toMatchObject({ state: 'failed', startedAt: 3, finishedAt: 4, evidence: [{ ok: false }] });
    expect(items.some(({ scenario, state }) => scenario === 'b' && state === 'queued')).toBe(true);
  });

  it('are told whole to one who follows later, and to one who follows while they go on', async () => {
    const { plays, ...script } = withBegun(new Script());
    const running = plays.run(named('a'));
    const a = await script.begun();
    a.watch.onRun('run-1');
    const [now] = await follow(plays, () => true);
    expect(now).toMatchObject({ state: 'playing', runs: ['run-1'], evidence: [{ ...colour, actual: null, ok: null }] });
    a.end(true);
    await running;
    const [later] = await follow(plays, () => true);
    expect(later).toMatchObject({ state: 'proved', evidence: [{ actual: 'green', ok: true }] });
  });

  it('are joined while they are queued or at work, and played anew after', async () => {
    const script = new Script();
    const { plays } = script;
    const both = [plays.run(named('a')), plays.run(named('a'))];
    (await script.begun()).end(true);
    const [one, other] = await Promise.all(both);
    expect(one).toBe(other);
    expect(script.count).toBe(1);
    const again = plays.run(named('a'));
    (await script.begun()).end(false);
    expect((await again).ok).toBe(false);
    expect(script.count).toBe(2);
  });

  it('are dropped when they are cancelled before their turn, at once', async () => {
    const script = new Script();
    const { plays } = script;
    const first = plays.run(named('a'));
    const dropped = expect(plays.run(named('b'))).rejects.toMatchObject({ code: 'cancelled' });
    const a = await script.begun();
    await plays.cancel(named('b'));
    await dropped;
    const states = new Map(
      (await follow(plays, ({ scenario }) => scenario === 'b')).map((one) => [one.scenario, one.state]),
    );
    expect(states).toEqual(
      new Map([
        ['a', 'playing'],
        ['b', 'cancelled'],
      ]),
    );
    a.end(true);
    await first;
    const third = plays.run(named('c'));
    (await script.begun()).end(true);
    expect((await third).scenario).toBe('c');
    expect(script.count).toBe(2);
  });

  it('are aborted when they are cancelled at work, and can be asked for again', async () => {
    const script = new Script();
    const { plays } = script;
    const cancelled = expect(plays.run(named('a'))).rejects.toMatchObject({ code: 'cancelled' });
    await script.begun();
    await plays.cancel(named('a'));
    await cancelled;
    expect((await follow(plays, () => true))[0]).toMatchObject({ state: 'cancelled', finishedAt: 2 });
    await expect(plays.cancel(named('a'))).rejects.toMatchObject({ code: 'wrong-state' });
    await expect(plays.cancel(named('never'))).rejects.toMatchObject({ code: 'wrong-state' });
    const again = plays.run(named('a'));
    (await script.begun()).end(true);
    expect((await again).ok).toBe(true);
  });

  it('are all cancelled when the host closes, which then plays nothing more', async () => {
    const script = new Script();
    const { plays } = script;
    const ends = Promise.allSettled([plays.run(named('a')), plays.run(named('b'))]);
    await script.begun();
    await plays.close();
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(script.count).toBe(1);
    await expect(plays.run(named('c'))).rejects.toMatchObject({ code: 'locked' });
  });
});

function withBegun(script: Script): { plays: ScenarioPlays; begun(): Promise<Played> } {
  return { plays: script.plays, begun: () => script.begun() };
}
