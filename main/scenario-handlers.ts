import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { Feeds, Gives, Handlers, LabClient } from '../runtime/contract/index.ts';
import type { Clock, ProcessIdentity } from '../runtime/core/index.ts';
import { findScenario, runScenario, scenarios, type ScenarioLab, type ServiceDesk } from '../scenarios/index.ts';
import { onFiles, type DataFolder } from './data-folder.ts';
import { relaySource } from './built-program.ts';
import { openScenarioPlays } from './scenario-plays.ts';

export interface ScenarioParts {
  readonly client: LabClient;
  readonly desk: ServiceDesk;
  readonly folder: DataFolder;
  readonly clock: Clock;
  readonly isAlive: (identity: ProcessIdentity) => boolean;
}

export interface ScenarioService {
  readonly handlers: Pick<Handlers, 'scenario/list' | 'scenario/run' | 'scenario/cancel'>;
  readonly feeds: Pick<Feeds, 'scenario/progress'>;
  /** Cancels what is queued or at work. */
  close(): Promise<void>;
}

export function listScenarios(): Gives<'scenario/list'> {
  return scenarios.map(({ name, title, relay, crashPlan, expects }) => ({
    name,
    title,
    relay,
    crashPlan: [...crashPlan],
    expects: expects.map(({ name: what, expected }) => ({ name: what, expected })),
  }));
}

/** Scenarios against the lab that they run in. */
export function openScenarios(parts: ScenarioParts): ScenarioService {
  const plays = openScenarioPlays((scenario, watch) => runScenario(scenario, scenarioLab(parts), watch), parts.clock);
  return {
    handlers: {
      'scenario/list': () => Promise.resolve(listScenarios()),
      'scenario/run': ({ name }) => Promise.try(() => plays.run(findScenario(name))),
      async 'scenario/cancel'({ name }) {
        await plays.cancel(findScenario(name));
        return null;
      },
    },
    feeds: { 'scenario/progress': plays.follow },
    close: () => plays.close(),
  };
}

function scenarioLab({ client, desk, folder, isAlive }: ScenarioParts): ScenarioLab {
  // Kept with the runs: they recover only under the folder that they were started from.
  const place = join(folder.root, 'scenarios', randomUUID());
  return {
    client,
    processAlive: isAlive,
    serviceRecords(service, run) {
      const { attempts, effects, references } = desk.stats(service, run);
      return Promise.resolve({ attempts, effects, keys: references.flatMap(({ reference }) => reference ?? []) });
    },
    relayFolder(relay) {
      const copy = join(place, relay);
      onFiles(`the relay ${relay} cannot be copied to ${copy}`, () =>
        cpSync(relaySource(relay), copy, { recursive: true }),
      );
      return copy;
    },
  };
}
