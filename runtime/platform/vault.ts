import {
  LabError,
  secretRules,
  secretValueProblem,
  type Clock,
  type KnownSecret,
  type KnownSecrets,
} from '../core/index.ts';
import type { Keeping, SecretBox } from './secret-box.ts';
import { readVaultFile, writeVaultFile, type KeptValue } from './vault-file.ts';

/** A secret without its value. */
interface KeptSecret {
  readonly name: string;
  readonly changedAt: number;
  readonly kept: Keeping;
  /** Why its value cannot be had in this host; null when it can. */
  readonly problem: string | null;
}

/** The lab's secrets. A name is one of `secretRules`, or `run/RUN/…` for what belongs to one run alone. */
export interface Vault {
  readonly keeping: Keeping;
  /** How values are kept, for a person. */
  readonly words: string;
  readonly known: KnownSecrets;
  /** In the order of their names, without those of runs. */
  list(): KeptSecret[];
  /** The value as it is now. Rejects with `not-found` or `vault-unreadable`, naming the secret and what to do. */
  resolve(name: string): Promise<string>;
  /** Resolves when it is durable. Rejects with `invalid-input`, and says nothing of the value but its length. */
  set(name: string, value: string): Promise<void>;
  /** Resolves when it is durable. Rejects with `not-found`. */
  remove(name: string): Promise<void>;
}

interface VaultParts {
  readonly file: string;
  readonly box: SecretBox;
  readonly clock: Clock;
}

/** Opens the vault of a data folder whose lock is held. Throws `vault-unreadable` for a file that it cannot read. */
export async function openVault({ file, box, clock }: VaultParts): Promise<Vault> {
  let kept: ReadonlyMap<string, KeptValue> = readVaultFile(file);
  const values = new Map<string, string>();
  const problems = new Map<string, string>();
  for (const [name, value] of kept) {
    await open(value, box).then(
      (opened) => values.set(name, opened),
      (error: unknown) => problems.set(name, error instanceof Error ? error.message : String(error)),
    );
  }
  const everKnown: KnownSecret[] = [...values].map(([name, value]) => ({ name, value }));
  const listeners = new Set<() => void>();
  const wake = (): void => {
    for (const listener of listeners) listener();
  };

  /** One change after the other: each begins with what the last one wrote. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  const write = (changed: ReadonlyMap<string, KeptValue>): void => {
    writeVaultFile(file, changed);
    kept = changed;
  };

  return {
    keeping: box.keeping,
    words: box.words(file),
    known: {
      list: () => everKnown,
      onChange(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    list: () =>
      [...kept]
        .filter(([name]) => secretRules.name.test(name))
        .map(([name, { changedAt, kept: how }]) => ({
          name,
          changedAt,
          kept: how,
          problem: problems.get(name) ?? null,
        }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    async resolve(name) {
      const value = values.get(name);
      if (value !== undefined) return Promise.resolve(value);
      const problem = problems.get(name);
      throw problem === undefined ? notFound(name) : notReadable(name, problem);
    },
    set: (name, value) =>
      inTurn(async () => {
        requireName(name);
        const problem = secretValueProblem(value);
        if (problem !== null) throw new LabError('invalid-input', `the value of ${name} ${problem}`, '', { name });
        // Known before it is kept: from here on nothing that fails can put it into a record.
        if (!everKnown.some((one) => one.name === name && one.value === value)) everKnown.push({ name, value });
        wake();
        const entry = { kept: box.keeping, value: await box.protect(value), changedAt: clock.now() };
        write(new Map(kept).set(name, entry));
        values.set(name, value);
        problems.delete(name);
        wake();
      }),
    remove: (name) =>
      inTurn(async () => {
        const changed = new Map(kept);
        if (!changed.delete(name)) throw notFound(name, 'See what there is: recovery-lab vault list');
        write(changed);
        values.delete(name);
        problems.delete(name);
        wake();
        return Promise.resolve();
      }),
  };
}

async function open({ kept, value }: KeptValue, box: SecretBox): Promise<string> {
  if (kept === 'plain') return value;
  if (box.keeping === kept) return box.unprotect(value);
  throw new Error('it was encrypted by the desktop app, and only that can read it');
}

function requireName(name: string): void {
  if (secretRules.name.test(name) || /^run\/[^/]+\/./.test(name)) return;
  throw new LabError(
    'invalid-input',
    `the name of the secret is ${JSON.stringify(name.slice(0, 100))}; expected ${secretRules.nameWords}`,
  );
}

function notFound(name: string, next = `Set it: recovery-lab vault set ${name}`): LabError {
  return new LabError('not-found', `the vault has no secret ${name}`, next, { secret: name });
}

function notReadable(name: string, problem: string): LabError {
  return new LabError(
    'vault-unreadable',
    `the secret ${name} cannot be read in this host: ${problem}`,
    `Set it again: recovery-lab vault set ${name}`,
    { secret: name },
  );
}
