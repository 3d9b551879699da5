import { spawnSync } from 'node:child_process';
import type { Stage } from './stages.ts';
import type { Tally } from './tally.ts';

/** Runs one stage to its end. Quiet when it passes; when it fails, everything that it said is shown. */
export function runStage({ name, commands }: Stage): Tally {
  const begun = performance.now();
  const finish = (word: string): void => {
    console.log(`${name.padEnd(10)} ${word.padEnd(6)} ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  };
  for (const command of commands) {
    const { status, signal, error, stdout, stderr } = spawnSync(process.execPath, command, {
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    });
    if (status === 0) continue;
    finish('FAILED');
    console.log(`${stdout}${stderr}`.trimEnd());
    if (error) console.log(String(error));
    if (signal) console.log(`ended by ${signal}`);
    console.log('');
    return { passed: 0, failed: 1, skipped: 0 };
  }
  finish('ok');
  return { passed: 1, failed: 0, skipped: 0 };
}
