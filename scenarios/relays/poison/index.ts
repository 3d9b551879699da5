import { DBOS } from '@dbos-inc/dbos-sdk';

function swallow(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
}

async function drink(): Promise<string> {
  const cup = await DBOS.runStep(() => Promise.resolve('a full cup'), { name: 'pour' });
  await DBOS.runStep(swallow, { name: 'swallow' });
  return cup;
}

export const run = DBOS.registerWorkflow(drink, { name: 'poison' });
