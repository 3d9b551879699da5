#!/usr/bin/env node
import { CommanderError } from 'commander';
import { asLabError, errorClasses, LabError } from '../runtime/core/index.ts';
import { exitCodes, finish, reportError } from './command-action.ts';
import { commandLine } from './command-line.ts';
import { openOutput } from './output.ts';

/** The command `recovery-lab`. */
async function main(words: readonly string[]): Promise<void> {
  try {
    await commandLine().parseAsync(words, { from: 'user' });
  } catch (thrown) {
    const out = openOutput({ json: words.includes('--json') });
    const error = usageError(thrown);
    if (error === null) return finish(out, exitCodes.done);
    reportError(out, error);
    await finish(out, exitCodes[errorClasses[error.code]]);
  }
}

/** What is wrong with the words of the command line; null when help or the version was asked for and given. */
function usageError(thrown: unknown): LabError | null {
  if (!(thrown instanceof CommanderError)) return asLabError(thrown);
  if (thrown.exitCode === 0) return null;
  const sentence =
    thrown.code === 'commander.help'
      ? 'a command is missing'
      : thrown.message.replace(/^error: /, '').replace(/\n/g, ' ');
  return new LabError('invalid-input', sentence, 'recovery-lab --help lists the commands; each has its own --help.');
}

// Not awaited at the top level: what is loaded later may share a chunk with this file, and would wait for it in turn.
void main(process.argv.slice(2));
