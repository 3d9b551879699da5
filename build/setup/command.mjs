import { spawn } from 'node:child_process';
import { SetupError } from './setup-error.mjs';

/**
 * Runs a command to its end and gives its exit code with everything it said. `onStart` gets its process id. A signal
 * that asks this process to end is passed on, and waited for, so that no half-done install keeps running behind.
 */
export async function runCommand(command, args, { onStart, ...options }) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let asked = null;
  const pass = (signal) => {
    asked ??= signal;
    child.kill(signal);
  };
  process.on('SIGINT', pass).on('SIGTERM', pass);
  try {
    const code = await new Promise((done, fail) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text) => {
          output += text;
        });
      }
      child.once('error', fail).once('close', done);
      if (child.pid !== undefined) onStart(child.pid);
    });
    if (asked !== null) throw new SetupError(`Stopped by ${asked}; run this again to go on.`);
    return { code, output };
  } finally {
    process.off('SIGINT', pass).off('SIGTERM', pass);
  }
}
