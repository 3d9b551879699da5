import type { Attempt, LabClient, LabEvent, Operation, Receipt, Run } from '../runtime/contract/index.ts';
import type { ProcessIdentity } from '../runtime/core/index.ts';
import type { ServiceName } from './services/index.ts';

/** What a service's own database holds of one run. */
interface ServiceRecords {
  /** Requests that reached it. */
  readonly attempts: number;
  /** Orders, lines or reservations that they left. */
  readonly effects: number;
  /** The different references (idempotency keys) that the requests carried. */
  readonly keys: readonly string[];
}

/** All that is known of a run from outside its relay, read at one moment. */
export interface RunFacts {
  readonly run: Run;
  readonly attempts: readonly Attempt[];
  readonly operations: readonly Operation[];
  readonly events: readonly LabEvent[];
  readonly receipts: readonly Receipt[];
  /** Process ids of its attempts that the process table still shows. */
  readonly living: readonly number[];
  readonly services: Readonly<Record<ServiceName, ServiceRecords>>;
}

export interface FactSources {
  readonly client: Pick<LabClient, 'call'>;
  serviceRecords(this: void, name: ServiceName, run: string): Promise<ServiceRecords>;
  processAlive(this: void, identity: ProcessIdentity): boolean;
}

const pageLimit = 1000;

/** Reads everything of a run: the ledger through the client, the services' databases, the process table. */
export async function gatherFacts(
  { client, serviceRecords, processAlive }: FactSources,
  id: string,
): Promise<RunFacts> {
  const { run, attempts } = await client.call('run/show', { run: id });
  const operations: Operation[] = [];
  for (let page = -1; page !== operations.length;) {
    page = operations.length;
    const after = operations.at(-1)?.id ?? null;
    operations.push(...(await client.call('run/operations', { run: id, after, limit: pageLimit })));
  }
  const events: LabEvent[] = [];
  for (let page = -1; page !== events.length;) {
    page = events.length;
    const after = events.at(-1)?.sequence ?? 0;
    events.push(...(await client.call('run/events', { run: id, after, limit: pageLimit })));
  }
  const receipts = await client.call('run/receipts', { run: id, operation: null });
  const processes = attempts.flatMap(({ process }) => (process === null ? [] : [process]));
  return {
    run,
    attempts,
    operations,
    events,
    receipts,
    living: processes.filter(processAlive).map(({ pid }) => pid),
    services: {
      'order-service': await serviceRecords('order-service', id),
      'audit-log': await serviceRecords('audit-log', id),
      inventory: await serviceRecords('inventory', id),
    },
  };
}
