import type { Handlers, LabInfo } from '../runtime/contract/index.ts';
import type { Clock } from '../runtime/core/index.ts';
import type { OpenLedger } from '../runtime/store/index.ts';
import type { DataFolder } from './data-folder.ts';
import { personHere } from './person-here.ts';
import { changeSettings, readSettings } from './settings.ts';
import { productVersion } from './version.ts';

/** What kind of host the lab is opened in. */
export interface HostKind {
  readonly host: LabInfo['host'];
  /** The data folder is removed when the host ends. */
  readonly ephemeral: boolean;
}

/** A command at work on a data folder that stays. */
export const commandHost: HostKind = { host: 'command', ephemeral: false };

/** What `PRAGMA synchronous` says, in words. */
const synchronousWords = ['OFF', 'NORMAL', 'FULL', 'EXTRA'];

/** The lab as it stands: its ledger's settings as read back from the connection that writes. */
export function infoHandlers(
  kind: HostKind,
  folder: Pick<DataFolder, 'root' | 'settings'>,
  { ledger, clock }: { readonly ledger: Pick<OpenLedger, 'settings'>; readonly clock: Clock },
): Pick<Handlers, 'lab/info' | 'settings/get' | 'settings/set'> {
  const startedAt = clock.now();
  return {
    'lab/info'() {
      const { sqliteVersion, journal_mode: journalMode, synchronous } = ledger.settings();
      return Promise.resolve({
        ...kind,
        version: productVersion(),
        pid: process.pid,
        startedAt,
        dataFolder: folder.root,
        engine: 'sqlite',
        sqlite: sqliteVersion,
        journalMode,
        synchronous: synchronousWords[synchronous] ?? String(synchronous),
        node: process.versions.node,
        platform: `${process.platform} ${process.arch}`,
        person: personHere(),
      });
    },
    async 'settings/get'() {
      const { recovery } = await Promise.resolve(readSettings(folder));
      return { recovery };
    },
    async 'settings/set'(change) {
      const { recovery } = await Promise.resolve(changeSettings(folder, change));
      return { recovery };
    },
  };
}
