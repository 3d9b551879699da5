import { DBOS } from '@dbos-inc/dbos-sdk';

/** Runs `steps` steps after another and returns how long they took, in milliseconds, as this process saw it. */
export const run = DBOS.registerWorkflow(
  async (input: { steps: number }) => {
    const from = performance.now();
    for (let n = 0; n < input.steps; n += 1) await DBOS.runStep(() => Promise.resolve(n), { name: 'step' });
    return { ms: performance.now() - from };
  },
  { name: 'steps' },
);
