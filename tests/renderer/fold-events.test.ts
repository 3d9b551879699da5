import { describe, expect, it } from 'vitest';
import type { LabEvent, RunDetail } from '../../runtime/contract/index.ts';
import { foldEvents } from '../../renderer/history/fold-events.ts';
import { emptyHistory } from '../../renderer/history/run-history.ts';
import { LabCommand } from '../support/lab-command.ts';

/** A scenario's runs as the built command says them: events, and the rows that they must agree with. */
async function runsOf(scenario: string): Promise<{ events: LabEvent[]; detail: RunDetail }[]> {
  using lab = new LabCommand();
  await lab.run(['scenario', 'run', scenario]);
  const { lines } = await lab.run(['run', 'list']);
  const ids = lines.map((line) => String(line['id']));
  // Awaited here: the folder goes with this scope.
  const runs: { events: LabEvent[]; detail: RunDetail }[] = [];
  for (const id of ids) {
    runs.push({
      events: (await lab.run(['run', 'events', id])).lines as unknown as LabEvent[],
      detail: (await lab.run(['run', 'show', id])).lines[0] as unknown as RunDetail,
    });
  }
  return runs;
}

describe('foldEvents', () => {
  it.each(['crash-after-checkpoint', 'crash-during-uncertain', 'poison', 'nondeterministic'])(
    'tells from the events of %s what the ledger has in its rows',
    async (scenario) => {
      const runs = await runsOf(scenario);
      expect(runs.length).toBeGreaterThan(0);
      for (const { events, detail } of runs) {
        const whole = foldEvents(emptyHistory(detail.run.id), events);
        expect(whole.lastSequence).toBe(detail.run.lastSequence);
        expect(whole.operations.map(({ id, kind, name, bodies }) => ({ id, kind, name, bodies }))).toEqual(
          detail.operations.map(({ id, kind, name, bodies }) => ({ id, kind, name, bodies })),
        );
        for (const row of detail.operations) {
          const told = whole.operations.find(({ id }) => id === row.id);
          const state = row.outcome === null ? 'cut' : row.outcome.ok ? 'done' : 'failed';
          expect([told?.id, told?.state]).toEqual([row.id, state]);
        }
        expect(
          whole.attempts.map(({ number, process, cause, reused }) => ({ number, process, cause, reused })),
        ).toEqual(detail.attempts.map(({ number, process, cause, reused }) => ({ number, process, cause, reused })));
        expect(whole.attempts.flatMap(({ points }) => points.map(({ point, state }) => ({ point, state })))).toEqual(
          detail.attempts.flatMap(({ crashPlan }) => crashPlan),
        );
      }
    },
  );

  it('comes to the same history however the events are cut into pages, also when pages overlap', async () => {
    const [first] = await runsOf('crash-after-checkpoint');
    if (first === undefined) throw new Error('the scenario left no run');
    const { events, detail } = first;
    const whole = foldEvents(emptyHistory(detail.run.id), events);
    for (const size of [1, 2, 7]) {
      let history = emptyHistory(detail.run.id);
      for (let from = 0; from < events.length; from += size) {
        history = foldEvents(history, events.slice(Math.max(0, from - 1), from + size));
      }
      expect(history).toEqual(whole);
    }
  });

  it('refuses events that leave a gap', () => {
    const event = (sequence: number): LabEvent => ({
      ...{ run: 'r', sequence, at: 0, type: 'note', attempt: null, operation: null, data: null },
    });
    const history = foldEvents(emptyHistory('r'), [event(1), event(2)]);
    expect(() => foldEvents(history, [event(4)])).toThrow(/go on with 4 after 2/);
  });
});
