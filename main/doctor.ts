import { existsSync, statSync, statfsSync } from 'node:fs';
import type { DoctorCheck } from '../runtime/contract/index.ts';
import { asLabError } from '../runtime/core/index.ts';
import type { Vault } from '../runtime/platform/index.ts';
import type { OpenLedger } from '../runtime/store/index.ts';
import type { OpenSupervisor } from '../runtime/supervisor/index.ts';
import type { DataFolder } from './data-folder.ts';
import { describeHolder, readHostRecord } from './host-record.ts';
import { unusableSettings } from './settings.ts';
import { productVersion } from './version.ts';

export interface LabUnderTest {
  readonly folder: DataFolder;
  readonly ledger: OpenLedger;
  readonly supervisor: OpenSupervisor;
  readonly vault: Vault;
}

/** What can be said without a lab: of this machine and of the data folder. */
export function checkMachine(folder: DataFolder): DoctorCheck[] {
  return [...checkVersions(), checkFolder(folder), checkDisk(folder)];
}

/** Everything, of a lab that is open: what it rests on is tried or read back, not assumed. */
export async function checkLab({ folder, ledger, supervisor, vault }: LabUnderTest): Promise<DoctorCheck[]> {
  return [
    ...checkMachine(folder),
    checkHolder(folder),
    ...checkSettings(folder),
    checkVault(vault),
    ...checkLedger(ledger),
    checkKeeper(supervisor),
    ...(await checkWalls(supervisor)),
  ];
}

function checkVersions(): DoctorCheck[] {
  const { versions, platform, arch } = process;
  return [
    { name: 'recovery-lab', ok: true, detail: productVersion() },
    { name: 'node', ok: true, detail: `${versions.node} on ${platform} ${arch}, at ${process.execPath}` },
  ];
}

function checkFolder({ root }: DataFolder): DoctorCheck {
  const name = 'data folder';
  const found = statSync(root, { throwIfNoEntry: false });
  if (found === undefined) return { name, ok: null, detail: `${root} does not exist yet` };
  const mode = `0${(found.mode & 0o777).toString(8)}`;
  if ((found.mode & 0o077) === 0) return { name, ok: true, detail: `${root}, open to its owner alone (${mode})` };
  return { name, ok: false, detail: `${root} is open to others (${mode}, expected 0700)` };
}

const leastFreeBytes = 200 * 1024 * 1024;

function checkDisk({ root }: DataFolder): DoctorCheck {
  const name = 'disk';
  try {
    const { bavail, bsize } = statfsSync(root);
    const free = bavail * bsize;
    const detail = `${Math.floor(free / 1024 / 1024)} MiB free for the data folder`;
    return { name, ok: free >= leastFreeBytes, detail: free >= leastFreeBytes ? detail : `only ${detail}` };
  } catch (error) {
    return { name, ok: null, detail: `cannot be measured: ${asLabError(error).message.split('\n')[0] ?? ''}` };
  }
}

function checkHolder(folder: DataFolder): DoctorCheck {
  const record = readHostRecord(folder);
  const own = record?.pid === process.pid ? ' (this command, or the host that answered it)' : '';
  return { name: 'lock', ok: record !== null, detail: `held by ${describeHolder(record)}${own}` };
}

/** Only when there is something to say: a file that could not be used and was set aside. */
function checkSettings(folder: DataFolder): DoctorCheck[] {
  const aside = unusableSettings(folder);
  if (!existsSync(aside)) return [];
  const detail = `a settings file could not be used and lies at ${aside}; correct it and put it back, or remove it`;
  return [{ name: 'settings', ok: null, detail }];
}

/** Where its values are readable it is worth knowing; a value that cannot be had is wrong. */
function checkVault(vault: Vault): DoctorCheck {
  const secrets = vault.list();
  const lost = secrets.filter(({ problem }) => problem !== null).map(({ name }) => name);
  const count = `${secrets.length} ${secrets.length === 1 ? 'secret' : 'secrets'}`;
  const unreadable = `; not readable in this host, to be set again: ${lost.join(', ')}`;
  const detail = `${count}; ${vault.words}${lost.length === 0 ? '' : unreadable}`;
  return { name: 'vault', ok: lost.length > 0 ? false : vault.keeping === 'plain' ? null : true, detail };
}

function checkLedger(ledger: OpenLedger): DoctorCheck[] {
  const { sqliteVersion, ledgerVersion, logBytes, ...connection } = ledger.settings();
  const shown = Object.entries(connection).map(([name, value]) => `${name}=${value}`);
  // The ledger refuses to open with anything else; this is what the writing connection said of itself.
  const isSafe = connection.journal_mode === 'wal' && connection.synchronous === 2;
  return [
    {
      name: 'engine',
      ok: true,
      detail: `sqlite ${sqliteVersion}, ledger version ${ledgerVersion}, log ${logBytes} bytes`,
    },
    { name: 'sync mode', ok: isSafe, detail: shown.join(' ') },
  ];
}

function checkKeeper({ keeperPid }: OpenSupervisor): DoctorCheck {
  const detail =
    keeperPid === null ? 'no keeper lives' : `process ${keeperPid} kills what this host would leave behind`;
  return { name: 'keeper', ok: keeperPid !== null, detail };
}

/** Walls that this version is known not to have; the others must stand. */
const knownGaps: readonly string[] = ['network', 'signal to the host', 'bubblewrap'];

async function checkWalls(supervisor: OpenSupervisor): Promise<DoctorCheck[]> {
  try {
    const walls = await supervisor.probeWalls();
    return walls.map(({ wall, stands, detail }) => ({
      name: `wall: ${wall}`,
      ok: stands ? true : knownGaps.includes(wall) ? null : false,
      detail,
    }));
  } catch (error) {
    return [{ name: 'walls', ok: false, detail: `they could not be tried: ${asLabError(error).message}` }];
  }
}
