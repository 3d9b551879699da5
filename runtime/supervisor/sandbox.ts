import { realpathSync } from 'node:fs';
import { LabError } from '../core/index.ts';

/** The Node that runs relays, and what its environment must hold beside the allow-list. */
export interface NodeProgram {
  readonly execPath: string;
  /** In the desktop app: `ELECTRON_RUN_AS_NODE`. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Reach {
  /** Files and folders that may be read, absolute. */
  readonly readable: readonly string[];
  /** The one folder that may also be written. */
  readonly writable: string;
}

/**
 * Node's flags for a process that may read and write only within `reach`. The permission model refuses child
 * processes, worker threads, native addons and the inspector by itself. `node:sqlite` opens files past it, so the
 * module is switched off: with it a relay could write the ledger.
 */
export function sandboxFlags(reach: Reach): string[] {
  return [
    '--permission',
    ...[...reach.readable, reach.writable].map((path) => `--allow-fs-read=${resolved(path)}`),
    `--allow-fs-write=${resolved(reach.writable)}`,
    '--no-experimental-sqlite',
    '--disable-sigusr1',
  ];
}

/** Node compares real paths, and reads a star in them as "anything from here on". */
function resolved(path: string): string {
  let real: string;
  try {
    real = realpathSync(path);
  } catch (thrown) {
    throw new LabError('not-found', `a relay's process is to reach ${path}, which cannot be found: ${String(thrown)}`);
  }
  if (!real.includes('*')) return real;
  throw new LabError(
    'invalid-input',
    `the path ${real} holds a star, which Node's permission model reads as a wildcard: it would open more than the folder`,
    'Move the data folder or the relay to a path without a star.',
  );
}

/** Copied from the host when it has them: they change how text and times look, and hold no secret. */
const copied = ['LANG', 'LC_ALL', 'TZ'] as const;

/** The whole environment of a relay's process: an allow-list. Home and temporary folder are the run's own. */
export function sandboxEnvironment(home: string, node: NodeProgram): Record<string, string> {
  const fromHost = copied.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { PATH: '/usr/bin:/bin', HOME: home, TMPDIR: home, ...Object.fromEntries(fromHost), ...node.env };
}
