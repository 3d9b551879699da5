import { chmodSync, closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { LabError } from '../core/index.ts';
import type { Keeping } from './secret-box.ts';

/** A secret as it lies in the file. `value` is what the box of that keeping made of it. */
export interface KeptValue {
  readonly kept: Keeping;
  readonly value: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

const version = 1;

/**
 * What the vault's file holds, by name; nothing when there is no file. The file is made its owner's alone. Throws
 * `vault-unreadable` for one that is damaged, or of a newer version; it stays as it is.
 */
export function readVaultFile(file: string): Map<string, KeptValue> {
  if (!existsSync(file)) return new Map();
  let text: string;
  try {
    chmodSync(file, 0o600);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error instanceof Error ? error.message : String(error));
  }
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    // JSON's own words would quote what stands there.
    throw unreadable(file, 'it is not JSON');
  }
  return parse(file, found);
}

/** Writes the file whole or not at all, durable when this returns. Throws `disk-full` or `ledger-unwritable`. */
export function writeVaultFile(file: string, values: ReadonlyMap<string, KeptValue>): void {
  const text = `${JSON.stringify({ version, secrets: Object.fromEntries(values) }, null, 2)}\n`;
  try {
    const draft = `${file}.new`;
    writeDurably(draft, text);
    renameSync(draft, file);
    const folder = openSync(dirname(file), 'r');
    fsyncSync(folder);
    closeSync(folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new LabError(
      code === 'ENOSPC' ? 'disk-full' : 'ledger-unwritable',
      `the vault ${file} cannot be written: ${message}`,
      'Nothing is changed. Free space on that disk, or correct the rights of its folder, and try again.',
    );
  }
}

function writeDurably(file: string, text: string): void {
  const bytes = Buffer.from(text);
  const to = openSync(file, 'w', 0o600);
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(to, bytes, done);
    fsyncSync(to);
  } finally {
    closeSync(to);
  }
  // One that was left behind keeps the rights that it had.
  chmodSync(file, 0o600);
}

function parse(file: string, found: unknown): Map<string, KeptValue> {
  if (!isObject(found)) throw unreadable(file, 'it holds no JSON object');
  if (typeof found['version'] === 'number' && found['version'] > version) {
    throw new LabError(
      'vault-unreadable',
      `the vault ${file} has version ${found['version']}; this lab reads version ${version}`,
      'Open it with the newer version of the lab, or name another folder with --data-dir. The file stays as it is.',
    );
  }
  const secrets = found['secrets'];
  if (found['version'] !== version || !isObject(secrets)) {
    throw unreadable(file, `it has no "version" ${version} with "secrets"`);
  }
  return new Map(
    Object.entries(secrets).map(([name, value]) => {
      if (isKept(value)) return [name, { kept: value.kept, value: value.value, changedAt: value.changedAt }];
      throw unreadable(file, `the secret ${name} in it has not "kept", "value" and "changedAt" of a known form`);
    }),
  );
}

function isKept(value: unknown): value is KeptValue {
  if (!isObject(value)) return false;
  const isKnown = value['kept'] === 'plain' || value['kept'] === 'key-store';
  return isKnown && typeof value['value'] === 'string' && Number.isSafeInteger(value['changedAt']);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(file: string, why: string): LabError {
  return new LabError(
    'vault-unreadable',
    `the vault ${file} cannot be read: ${why}`,
    'Put it back from a copy, or move it elsewhere and set its secrets again. The file stays as it is; without it the lab does not open, because values that it does not know cannot be kept out of records.',
  );
}
