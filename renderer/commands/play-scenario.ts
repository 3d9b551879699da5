import { asLabError, LabError } from '../../runtime/contract/index.ts';
import { act } from '../lab/act.ts';
import { lab } from '../lab/lab.ts';
import { useLab } from '../store/lab-store.ts';
import { go, notify } from '../store/view-store.ts';

/** Asks for a scenario to be played. What comes of it is told by its progress. */
export async function playScenario(name: string): Promise<void> {
  try {
    await lab.call('scenario/run', { name });
  } catch (thrown) {
    const error = asLabError(thrown);
    // A cancelled one is shown as such; while the connection is lost, the banner says so.
    if (error.code !== 'cancelled' && error.code !== 'process-gone')
      notify(`The scenario ${name} was not played`, error);
  }
}

export async function cancelScenario(name: string): Promise<void> {
  await act('scenario/cancel', { name });
}

export async function playAll(): Promise<void> {
  await Promise.all(useLab.getState().scenarios.map(({ name }) => playScenario(name)));
}

/** Starts the scenario's relay under its crash plan, for a person to recover, and shows the run beside. */
export async function crashItYourself(name: string): Promise<void> {
  // Asked for now: it may be pressed before the lists are here.
  const [scenarios, relays] = await Promise.all([act('scenario/list', {}), act('relay/list', {})]);
  if (scenarios === null || relays === null) return;
  const scenario = scenarios.find((one) => one.name === name);
  const relay = relays.find(({ origin, name }) => origin === 'scenario' && name === scenario?.relay);
  if (scenario === undefined || relay === undefined) {
    const error = new LabError('not-found', `the relay of the scenario ${name} is not in the list`, 'Reload the page.');
    notify('The relay could not be started', error);
    return;
  }
  const run = await act('run/start', {
    folder: relay.folder,
    input: relay.exampleInput ?? '{}',
    id: null,
    crashPlan: [...scenario.crashPlan],
    recovery: 'off',
  });
  if (run !== null) go({ kind: 'scenario', name, run: run.id });
}
