import { parseArgs } from 'node:util';
import { LabError } from '../../runtime/core/index.ts';

/** What the app was started with. */
export interface LaunchWords {
  /** Null for the usual data folder. */
  readonly dataDir: string | null;
  readonly ephemeral: boolean;
}

/** Reads the words after the program's own. Others are Chromium's, and none of this app's business. */
export function readLaunchWords(words: readonly string[]): LaunchWords {
  const { values } = parseArgs({
    args: [...words],
    options: { 'data-dir': { type: 'string' }, ephemeral: { type: 'boolean' } },
    strict: false,
  });
  const dataDir = values['data-dir'] ?? null;
  const ephemeral = values.ephemeral === true;
  if (typeof dataDir === 'boolean') {
    throw new LabError('invalid-input', '--data-dir names no folder', 'Write --data-dir FOLDER.');
  }
  if (ephemeral && dataDir !== null) {
    throw new LabError('invalid-input', '--ephemeral keeps its own data folder', 'Leave out one of the two.');
  }
  return { dataDir, ephemeral };
}

/** The same words with another data folder. */
export function withDataDir(words: readonly string[], folder: string): string[] {
  const kept = words.filter((word, at) => {
    const isName = word === '--data-dir' || word.startsWith('--data-dir=') || word === '--ephemeral';
    return !isName && words[at - 1] !== '--data-dir';
  });
  return [...kept, '--data-dir', folder];
}
