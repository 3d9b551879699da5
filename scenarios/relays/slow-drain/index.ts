import { setTimeout as pause } from 'node:timers/promises';
import { DBOS } from '@dbos-inc/dbos-sdk';

const longMs = 600_000;

/** Stops early when the run is cancelled, and gives what is done so far. */
async function heedfulWork(): Promise<string> {
  const signal = DBOS.stepStatus?.cancelSignal;
  await pause(longMs, null, signal === undefined ? {} : { signal }).catch(() => {});
  return signal?.aborted === true ? 'put away half done' : 'done';
}

async function stubbornWork(): Promise<string> {
  await pause(longMs);
  return 'done';
}

async function work({ heedsCancel }: { heedsCancel: boolean }): Promise<string> {
  const state = await DBOS.runStep(heedsCancel ? heedfulWork : stubbornWork, { name: 'long-work' });
  return DBOS.runStep(() => Promise.resolve(`reported: ${state}`), { name: 'report' });
}

export const run = DBOS.registerWorkflow(work, { name: 'slow-drain' });
