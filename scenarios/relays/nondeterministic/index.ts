import { DBOS } from '@dbos-inc/dbos-sdk';

// The mistake that this relay is here to show: a clock that is read outside a step, and so anew in every attempt.
const loadedAt = Date.now();

async function sell(): Promise<string> {
  const openedAt = await DBOS.runStep(() => Promise.resolve(loadedAt), { name: 'open-till' });
  if (loadedAt === openedAt) {
    await DBOS.runStep(() => Promise.resolve('served'), { name: 'serve-customer' });
  } else {
    await DBOS.runStep(() => Promise.resolve('counted'), { name: 'recount-till' });
  }
  return DBOS.runStep(() => Promise.resolve('closed'), { name: 'close-till' });
}

export const run = DBOS.registerWorkflow(sell, { name: 'nondeterministic' });
