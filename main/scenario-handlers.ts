import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { findPackageJSON } from 'node:module';
import type { Gives, Handlers, LabClient } from '../runtime/contract/index.ts';
import type { ProcessIdentity } from '../runtime/core/index.ts';
import { findScenario, runScenario, scenarios, type ServiceDesk } from '../scenarios/index.ts';
import { onFiles, type DataFolder } from './data-folder.ts';

export interface ScenarioParts {
  readonly client: LabClient;
  readonly desk: ServiceDesk;
  readonly folder: DataFolder;
  readonly isAlive: (identity: ProcessIdentity) => boolean;
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

/** Scenarios against the lab that they run in, one at a time: some change permissions that others rest on. */
export function scenarioHandlers(parts: ScenarioParts): Pick<Handlers, 'scenario/list' | 'scenario/run'> {
  let last: Promise<unknown> = Promise.resolve();
  return {
    'scenario/list': () => Promise.resolve(listScenarios()),
    'scenario/run'({ name }) {
      const next = last.then(() => play(parts, name));
      last = next.catch(() => undefined);
      return next;
    },
  };
}

async function play({ client, desk, folder, isAlive }: ScenarioParts, name: string): Promise<Gives<'scenario/run'>> {
  // Kept with the runs: they recover only under the folder that they were started from.
  const place = join(folder.root, 'scenarios', randomUUID());
  return runScenario(
    findScenario(name),
    {
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
    },
    () => undefined,
  );
}

/** Where the lab's own relays stand: in its package, beside the built programs. */
function relaySource(name: string): string {
  return join(findPackageJSON(import.meta.url) ?? '', '..', 'scenarios', 'relays', name);
}
