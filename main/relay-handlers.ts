import { realpath } from 'node:fs/promises';
import { basename, isAbsolute } from 'node:path';
import type { Handlers, Manifest, RelayRow } from '../runtime/contract/index.ts';
import { asLabError, LabError } from '../runtime/core/index.ts';
import type { Releases } from '../runtime/release/index.ts';
import { exampleInputs, scenarios } from '../scenarios/index.ts';
import type { DataFolder } from './data-folder.ts';
import type { ReadableLedger } from './reading-handlers.ts';
import { relaySource } from './built-program.ts';
import { ownRelay } from './own-relays.ts';
import { changeSettings, readSettings } from './settings.ts';

export interface RelayParts {
  readonly folder: Pick<DataFolder, 'root' | 'settings'>;
  readonly releases: Pick<Releases, 'manifest' | 'check'>;
  readonly ledger: Pick<ReadableLedger, 'listRuns'>;
  /** Called when a relay was opened or forgotten. */
  readonly changed?: () => void;
}

type RelayCall = 'relay/list' | 'relay/open' | 'relay/forget';

/** The scenarios' relays, and the folders that a person opened, which are remembered in the settings. */
export function relayHandlers({ folder, releases, ledger, changed }: RelayParts): Pick<Handlers, RelayCall> {
  const opened = (): readonly string[] => readSettings(folder).opened;
  const own = [...new Set(scenarios.map(({ relay }) => relay))];

  async function rowOf(place: string, origin: RelayRow['origin'], own?: string): Promise<RelayRow> {
    const found = await releases.manifest(place).then(
      (manifest) => ({ manifest, problem: null }),
      (error: unknown) => ({ manifest: null, problem: asLabError(error).toData() }),
    );
    const name = found.manifest?.name ?? own ?? basename(place);
    const example = own === undefined ? undefined : exampleInputs[own];
    return {
      folder: place,
      name,
      origin,
      ...found,
      inputSchema: schemaOf(found.manifest),
      exampleInput: example === undefined ? lastInput(name) : JSON.stringify(example),
    };
  }

  function lastInput(relay: string): string | null {
    return ledger.listRuns({ before: null, limit: 1, relay, state: null })[0]?.input ?? null;
  }

  /** The scenario relay that lies there, in the package or as the copy that is listed. */
  async function ownAt(place: string): Promise<string | undefined> {
    for (const name of own) {
      for (const folderOfOwn of [relaySource(name), ownRelay(folder, name)]) {
        if ((await realpath(folderOfOwn).catch(() => null)) === place) return name;
      }
    }
    return undefined;
  }

  return {
    'relay/list': async () =>
      Promise.all([
        ...own.map((name) => rowOf(ownRelay(folder, name), 'scenario', name)),
        ...opened().map((place) => rowOf(place, 'opened')),
      ]),
    async 'relay/open'({ folder: asked }) {
      requireAbsolute(asked);
      const { folder: place } = await releases.check(asked);
      const scenario = await ownAt(place);
      if (scenario !== undefined) return rowOf(ownRelay(folder, scenario), 'scenario', scenario);
      changeSettings(folder, { opened: [place, ...opened().filter((one) => one !== place)] });
      changed?.();
      return rowOf(place, 'opened');
    },
    async 'relay/forget'({ folder: asked }) {
      requireAbsolute(asked);
      // One that is gone has no real path any more: it is known by the one that it had.
      const place = await realpath(asked).catch(() => asked);
      if (opened().some((one) => one === place || one === asked)) {
        changeSettings(folder, { opened: opened().filter((one) => one !== place && one !== asked) });
        changed?.();
      }
      return null;
    },
  };
}

function requireAbsolute(folder: string): void {
  if (isAbsolute(folder) && !folder.includes('\0')) return;
  const what = `the relay folder is ${JSON.stringify(folder)}; expected an absolute path`;
  throw new LabError('invalid-input', what, 'Give the whole path, from / on.');
}

function schemaOf(manifest: Manifest | null): RelayRow['inputSchema'] {
  const schema = manifest?.input_schema;
  return typeof schema === 'object' ? schema : null;
}
