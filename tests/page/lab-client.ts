import { connectControl } from '../../main/control-socket.ts';
import { findDataFolder } from '../../main/data-folder.ts';
import { readHostRecord } from '../../main/host-record.ts';
import type { LabClient, Run } from '../../runtime/contract/index.ts';
import { RelayFolder } from '../support/relay-folder.ts';

/** A client of the host that holds this data folder, beside its page: what a command in another terminal has. */
export async function clientOf(dataDir: string): Promise<LabClient> {
  const record = readHostRecord(findDataFolder(dataDir));
  if (record === null) throw new Error(`no host holds ${dataDir}`);
  return connectControl(record.socket, 5000);
}

/** A relay of `steps` steps one after another, each of which takes `ms` milliseconds. */
export function pacedRelay(): RelayFolder {
  return new RelayFolder(
    `import { DBOS } from '@dbos-inc/dbos-sdk';
     const pause = (ms: number, value: number) => new Promise<number>((resolve) => setTimeout(resolve, ms, value));
     export const run = DBOS.registerWorkflow(
       async ({ steps, ms }: { steps: number; ms: number }) => {
         for (let n = 0; n < steps; n += 1) await DBOS.runStep(() => (ms === 0 ? Promise.resolve(n) : pause(ms, n)), { name: 'step' });
         return steps;
       },
       { name: 'paced' },
     );`,
    { name: 'paced' },
  );
}

export function startPaced(
  client: LabClient,
  relay: RelayFolder,
  input: { steps: number; ms: number },
  crashPlan: readonly string[] = [],
): Promise<Run> {
  return client.call('run/start', {
    folder: relay.path,
    input: JSON.stringify(input),
    id: null,
    crashPlan: [...crashPlan],
    recovery: 'off',
  });
}
