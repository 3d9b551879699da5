import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Settings } from '../runtime/contract/index.ts';
import { onFiles, type DataFolder } from './data-folder.ts';

/** `settings.json` of a data folder. Keys of a newer version are kept as they are. */
interface KeptSettings extends Settings {
  /** Relay folders that were opened, as real paths, the last one first. */
  readonly opened: readonly string[];
}

const untouched: KeptSettings = { recovery: 'off', opened: [] };

/** What is set in this data folder. A file that cannot be used counts as none. */
export function readSettings(folder: Pick<DataFolder, 'settings'>): KeptSettings {
  return parse(folder.settings) ?? untouched;
}

/**
 * Moves a settings file that cannot be used aside, to `settings.json.unusable`, so that nothing of it is lost and the
 * next change begins anew; `doctor` says so. Needs the folder's lock.
 */
export function setBrokenSettingsAside(folder: Pick<DataFolder, 'settings'>): void {
  if (!existsSync(folder.settings) || parse(folder.settings) !== null) return;
  onFiles(`${folder.settings} cannot be set aside`, () => renameSync(folder.settings, unusableSettings(folder)));
}

export function unusableSettings(folder: Pick<DataFolder, 'settings'>): string {
  return `${folder.settings}.unusable`;
}

/** Changes what is given, whole or not at all, and gives what stands then. Needs the folder's lock. */
export function changeSettings(folder: Pick<DataFolder, 'settings'>, change: Partial<KeptSettings>): KeptSettings {
  const changed = { ...readSettings(folder), ...change };
  onFiles(`${folder.settings} cannot be written`, () => {
    writeFileSync(`${folder.settings}.new`, `${JSON.stringify(changed, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${folder.settings}.new`, folder.settings);
  });
  return changed;
}

function parse(file: string): KeptSettings | null {
  if (!existsSync(file)) return untouched;
  try {
    const found = { ...untouched, ...(JSON.parse(readFileSync(file, 'utf8')) as Partial<KeptSettings>) };
    const { recovery, opened } = found;
    const isSound =
      ['off', 'immediate'].includes(recovery) &&
      Array.isArray(opened) &&
      opened.every((path) => typeof path === 'string');
    return isSound ? found : null;
  } catch {
    return null;
  }
}
