import type { WorkflowStatus } from '../contract/index.ts';
import { DBOSStreamTimeoutError } from './dbos-errors.ts';
import { identify } from './identity.ts';
import { operate } from './operation.ts';
import { pauseUntil } from './pause.ts';
import { currentScope } from './scope.ts';
import { theSession } from './session.ts';
import { decode, encode } from './values.ts';

export interface ReadOptions {
  offset?: number;
  timeoutSeconds?: number;
  pollingIntervalMs?: number;
}
interface Item {
  readonly done: boolean;
  readonly value?: unknown;
}

const pollingMs = 200;
const active = ['PENDING', 'ENQUEUED'];

/** The values of a stream in order, until it is closed or its workflow is over. In a workflow each is an operation. */
export async function* readStream(
  workflow: string,
  key: string,
  options: ReadOptions = {},
): AsyncGenerator<unknown, void> {
  for (let offset = options.offset ?? 0; ; offset += 1) {
    const item = await readItem(workflow, key, offset, options);
    if (item.done) return;
    yield item.value;
  }
}

async function readItem(workflow: string, key: string, offset: number, options: ReadOptions): Promise<Item> {
  const body = (): Promise<Item> => awaitItem(workflow, key, offset, options);
  if (currentScope()?.kind !== 'workflow') return body();
  const given = identify(encode([workflow, key, offset], 'arguments'));
  const name = 'DBOS.readStream';
  return (await operate({ kind: 'event', name, arguments: given, repeatable: true, wait: false, body })) as Item;
}

async function awaitItem(workflow: string, key: string, offset: number, options: ReadOptions): Promise<Item> {
  const { timeoutSeconds, pollingIntervalMs = pollingMs } = options;
  const until = timeoutSeconds === undefined ? Infinity : Date.now() + timeoutSeconds * 1000;
  const signal = currentScope()?.workflow.cancellation.signal ?? null;
  for (let last = false; ;) {
    const found = await theSession().ask('read-stream', { workflow, key, from: offset });
    const { values, closed } = found as { values: string[]; closed: boolean };
    if (values[0] !== undefined) return { done: false, value: decode(values[0]) };
    if (closed || last) return { done: true };
    const status = (await theSession().ask('workflow-status', { workflow })) as WorkflowStatus | null;
    // What it wrote between the two questions is still to be read.
    last = status === null || !active.includes(status.status);
    if (last) continue;
    if (Date.now() >= until) throw new DBOSStreamTimeoutError(workflow, key, (timeoutSeconds ?? 0) * 1000);
    await pauseUntil(Math.min(until, Date.now() + pollingIntervalMs), signal);
  }
}
