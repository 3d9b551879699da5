import { describe, expect, it } from 'vitest';
import type { LabClient } from '../../runtime/contract/index.ts';
import { LabError } from '../../runtime/core/index.ts';
import { says } from '../../scenarios/claim.ts';
import {
  runScenario,
  type EvidenceProgress,
  type Scenario,
  type ScenarioLab,
  type ScenarioWatch,
} from '../../scenarios/index.ts';

/** A lab whose every answer is the same refusal. */
function refusingLab(): ScenarioLab {
  const refuse = (): Promise<never> => Promise.reject(new LabError('locked', 'the lab is closed', 'Open it.'));
  const client: LabClient = { call: refuse, follow: () => () => {}, close: () => Promise.resolve() };
  return {
    client,
    relayFolder: () => '/relay',
    serviceRecords: refuse,
    processAlive: () => false,
  };
}

/** A lab that never answers. */
function hangingLab(): ScenarioLab {
  const { promise } = Promise.withResolvers<never>();
  return { ...refusingLab(), client: { ...refusingLab().client, call: () => promise } };
}

const colour = says<{ colour: string }>('colour', 'green', (facts) => facts.colour);
const size = says<{ size: string }>('size', 'large', (facts) => facts.size);

function scenario(play: Scenario['play']): Scenario {
  return { name: 'made-for-a-test', title: '', relay: 'none', crashPlan: [], expects: [colour, size], play };
}

function watch(changes: Partial<ScenarioWatch> = {}): ScenarioWatch {
  return { onEvidence: () => {}, onRun: () => {}, signal: new AbortController().signal, ...changes };
}

describe('a scenario run', () => {
  it('gives each piece of evidence as pending first, then as it becomes known', async () => {
    const told: EvidenceProgress[] = [];
    const result = await runScenario(
      scenario((stage) => {
        stage.prove([size], { size: 'large' });
        stage.prove([colour], { colour: 'green' });
        return Promise.resolve();
      }),
      refusingLab(),
      watch({ onEvidence: (evidence) => void told.push(evidence) }),
    );
    expect(told.map(({ name, actual, ok }) => [name, actual, ok])).toEqual([
      ['colour', null, null],
      ['size', null, null],
      ['size', 'large', true],
      ['colour', 'green', true],
    ]);
    expect(result).toMatchObject({ scenario: 'made-for-a-test', ok: true, runId: null });
    expect(result.evidence.map(({ name }) => name)).toEqual(['colour', 'size']);
  });

  it('fails when one piece of evidence does', async () => {
    const result = await runScenario(
      scenario((stage) => {
        stage.prove([colour], { colour: 'red' });
        stage.prove([size], { size: 'large' });
        return Promise.resolve();
      }),
      refusingLab(),
      watch(),
    );
    expect(result.ok).toBe(false);
    expect(result.evidence[0]).toEqual({ name: 'colour', expected: 'green', actual: 'red', ok: false });
  });

  it('makes a failed piece of evidence of what it throws, and of all that it did not get to', async () => {
    const result = await runScenario(
      scenario(async (stage) => {
        stage.prove([colour], { colour: 'green' });
        await stage.play({ folder: stage.relayFolder('none'), input: {} });
      }),
      refusingLab(),
      watch(),
    );
    expect(result.ok).toBe(false);
    expect(result.evidence).toEqual([
      { name: 'colour', expected: 'green', actual: 'green', ok: true },
      { name: 'size', expected: 'large', actual: 'not reached', ok: false },
      { name: 'the scenario', expected: 'ran to its end', actual: 'locked: the lab is closed (Open it.)', ok: false },
    ]);
  });

  it('is not green when it proves nothing', async () => {
    const result = await runScenario(
      scenario(() => Promise.resolve()),
      refusingLab(),
      watch(),
    );
    expect(result.evidence.map(({ actual, ok }) => [actual, ok])).toEqual([
      ['not reached', false],
      ['not reached', false],
    ]);
  });

  it.each([
    ['waits for a lab that does not answer', (stage) => stage.play({ folder: '', input: {} }).then(() => {})],
    ['waits for itself', () => new Promise<void>(() => {})],
  ] satisfies [string, Scenario['play']][])('ends at its deadline when it %s', async (_what, play) => {
    const result = await runScenario(scenario(play), hangingLab(), watch({ limitMs: 20 }));
    expect(result.ok).toBe(false);
    expect(result.evidence.at(-1)).toMatchObject({ name: 'the scenario', actual: 'it was not over after 0.02 s' });
  });

  it('proves nothing any more once its deadline is past', async () => {
    const late = Promise.withResolvers<string>();
    const told: EvidenceProgress[] = [];
    const result = await runScenario(
      scenario(async (stage) => {
        await stage.settle('run').catch(() => {});
        try {
          stage.prove([colour], { colour: 'green' });
          late.resolve('it could');
        } catch {
          late.resolve('it could not');
        }
      }),
      hangingLab(),
      watch({ onEvidence: (evidence) => void told.push(evidence), limitMs: 20 }),
    );
    expect(await late.promise).toBe('it could not');
    expect(result.evidence.every(({ ok }) => !ok)).toBe(true);
    expect(told.every(({ ok }) => ok !== true)).toBe(true);
  });

  it('takes facts that a claim cannot read as evidence against it', async () => {
    const result = await runScenario(
      scenario((stage) => {
        const broken = says<null>('colour', 'green', () => {
          throw new Error('the event has no such shape');
        });
        stage.prove([broken], null);
        return Promise.resolve();
      }),
      refusingLab(),
      watch(),
    );
    expect(result.evidence[0]).toMatchObject({ actual: 'cannot be told: the event has no such shape', ok: false });
  });

  it('refuses evidence that is not on its list', async () => {
    const result = await runScenario(
      scenario((stage) => {
        stage.prove([says<null>('weight', 'light', () => 'light')], null);
        return Promise.resolve();
      }),
      refusingLab(),
      watch(),
    );
    expect(result.evidence.at(-1)).toMatchObject({ ok: false, actual: expect.stringContaining('"weight"') as string });
  });

  it('rejects with cancelled once it is, after its runs are killed and its permissions given back', async () => {
    const said: string[] = [];
    const cancelling = new AbortController();
    const starting = Promise.withResolvers<void>();
    const revoking = Promise.withResolvers<void>();
    let state = 'running';
    const answers: Record<string, (input: { granted?: boolean }) => Promise<unknown>> = {
      // Answered only after the cancel: its run must not be forgotten.
      'run/start': () => starting.promise.then(() => ({ id: 'late' })),
      'run/show': () => Promise.resolve({ run: { id: 'late', state, revision: 3, recovery: 'off' } }),
      'run/kill': () => Promise.resolve((state = 'interrupted')),
      'permission/set': async ({ granted }) => {
        if (granted === false) await revoking.promise;
        return null;
      },
    };
    const client = {
      ...refusingLab().client,
      async call(name: string, input: { granted?: boolean }) {
        const answer = await answers[name]?.(input);
        said.push(name === 'permission/set' ? `${name} ${input.granted}` : name);
        return answer;
      },
    } as LabClient;
    const runs: string[] = [];
    const playing = runScenario(
      scenario(async (stage) => {
        const start = stage.start({ folder: '', input: {} });
        await Promise.all([start, stage.withoutPermission('relay:a', () => Promise.resolve())]);
      }),
      { ...refusingLab(), client },
      watch({ onRun: (run) => void runs.push(run), signal: cancelling.signal }),
    );
    cancelling.abort();
    starting.resolve();
    revoking.resolve();
    await expect(playing).rejects.toMatchObject({ code: 'cancelled' });
    expect(runs).toEqual(['late']);
    expect(said.filter((one) => one.startsWith('permission'))).toEqual(['permission/set false', 'permission/set true']);
    expect(said).toContain('run/kill');
    expect(state).toBe('interrupted');
  });
});
