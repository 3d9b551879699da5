import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { LabError } from '../runtime/core/index.ts';

/** Where each thing stands in a data folder (DESIGN.md section 9). Absolute paths. */
export interface DataFolder {
  readonly root: string;
  readonly ledger: string;
  readonly releases: string;
  readonly runs: string;
  readonly lock: string;
  readonly hostRecord: string;
  readonly settings: string;
  /** The lab's secrets. */
  readonly vault: string;
  /** Databases of the lab's own services. */
  readonly services: string;
}

/** The data folder that was asked for, or else `$RECOVERY_LAB_DATA_DIR`, or else the system's place for such data. */
export function findDataFolder(asked: string | null, environment: NodeJS.ProcessEnv = process.env): DataFolder {
  if (asked === '') {
    throw new LabError(
      'invalid-input',
      '--data-dir is empty; expected a folder',
      'Leave it out for the usual data folder.',
    );
  }
  const root = resolve(asked ?? (environment['RECOVERY_LAB_DATA_DIR'] || defaultRoot(environment)));
  return {
    root,
    ledger: join(root, 'ledger.sqlite'),
    releases: join(root, 'releases'),
    runs: join(root, 'runs'),
    lock: join(root, 'host.lock'),
    hostRecord: join(root, 'host.json'),
    settings: join(root, 'settings.json'),
    vault: join(root, 'vault.json'),
    services: join(root, 'services'),
  };
}

function defaultRoot(environment: NodeJS.ProcessEnv): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Relay Recovery Lab');
  return join(environment['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'relay-recovery-lab');
}

/**
 * Makes the folder, for its owner alone. Throws `ledger-unwritable` or `disk-full` naming it and what stands in the way,
 * and `invalid-input` for a folder that holds something else: its rights are not the lab's to change.
 */
export function makeDataFolder(folder: DataFolder): void {
  onFiles(`the data folder ${folder.root} cannot be used`, () => {
    makeFolders(folder.root);
    requireOwn(folder, readdirSync(folder.root));
    if ((statSync(folder.root).mode & 0o077) !== 0) chmodSync(folder.root, 0o700);
    for (const inner of [folder.releases, folder.runs]) mkdirSync(inner, { recursive: true, mode: 0o700 });
  });
}

/** One after the other: for a folder that can never be, such as one in /proc, Node's own recursive way never ends. */
function makeFolders(path: string): void {
  if (existsSync(path)) return;
  makeFolders(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/**
 * Whether a ledger is there to be read. Throws `ledger-unwritable` for what is no folder or may not be entered, and
 * `invalid-input` for a folder of other things: neither is a lab without runs.
 */
export function hasLedger(folder: DataFolder): boolean {
  return onFiles(`the data folder ${folder.root} cannot be read`, () => {
    if (statSync(folder.root, { throwIfNoEntry: false }) === undefined) return false;
    const names = readdirSync(folder.root);
    requireOwn(folder, names);
    return names.includes(basename(folder.ledger));
  });
}

function requireOwn(folder: DataFolder, names: readonly string[]): void {
  if (names.length === 0 || [folder.lock, folder.ledger, folder.releases].some(existsSync)) return;
  throw new LabError(
    'invalid-input',
    `${folder.root} is no data folder: it holds other things, such as ${names[0] ?? ''}`,
    'Name an empty folder, or one that is not there yet, with --data-dir.',
  );
}

/** Works on files of the data folder; what the system refuses becomes an error for a person. */
export function onFiles<Gives>(what: string, work: () => Gives): Gives {
  try {
    return work();
  } catch (error) {
    if (error instanceof LabError || !(error instanceof Error)) throw error;
    const isFull = 'code' in error && error.code === 'ENOSPC';
    throw new LabError(
      isFull ? 'disk-full' : 'ledger-unwritable',
      `${what}: ${error.message}`,
      isFull ? 'Free space on that disk.' : 'Name another one with --data-dir or RECOVERY_LAB_DATA_DIR.',
    );
  }
}
