import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface StartedProgram {
  readonly pid: number;
  readonly firstLine: string;
  stop(): Promise<void>;
}

/** Starts a program under Node and waits for its first line on stdout. */
export async function startProgram(file: string, args: readonly string[] = []): Promise<StartedProgram> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [firstLine] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    pid: child.pid ?? 0,
    firstLine,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
