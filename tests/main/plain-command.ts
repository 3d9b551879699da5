import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The built command. */
export const program = fileURLToPath(new URL('../../out/main/recovery-lab.js', import.meta.url));

/** A relay of two steps whose result holds its input. */
export const twoSteps = `
import { DBOS } from '@dbos-inc/dbos-sdk';
async function twoSteps(input: unknown) {
  const first = await DBOS.runStep(async () => ({ input }), { name: 'first' });
  return DBOS.runStep(async () => first, { name: 'second' });
}
export const run = DBOS.registerWorkflow(twoSteps);
`;

/** The command as a person at a pipe sees it: no --json. */
export function plain(
  args: readonly string[],
  dataDir: string,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args, '--data-dir', dataDir], (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}
