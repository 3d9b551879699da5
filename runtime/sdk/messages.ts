import type { HostedCall } from '../contract/index.ts';
import { DBOSInvalidWorkflowTransitionError } from './dbos-errors.ts';
import { absent } from './absent.ts';
import { identify } from './identity.ts';
import { operateHosted } from './operation.ts';
import { currentScope, type Scope } from './scope.ts';
import { decode, encode } from './values.ts';

export interface WaitOptions {
  timeoutSeconds?: number;
  deadlineEpochMS?: number;
  pollingIntervalMs?: number;
}
export interface Format {
  serializationType?: 'native' | 'portable' | undefined;
}

const defaultTimeoutMs = 60_000;

/** A message to a workflow, sent once by this operation however often it is recovered. */
export async function send(
  destination: string,
  message: unknown,
  topic = '',
  idempotencyKey?: string,
  format?: Format,
): Promise<void> {
  checkFormat(format, 'DBOS.send');
  scopeOf('DBOS.send', ['workflow', 'step']);
  const body = encode(message, 'message');
  const input = { workflow: destination, topic, body, idempotencyKey: idempotencyKey ?? null };
  await hosted('send', [destination, message, topic], { name: 'DBOS.send', input });
}

/** The oldest message to this workflow on the topic; null when none came in time. */
export async function recv(topic = '', options?: number | WaitOptions): Promise<unknown> {
  const { workflow } = scopeOf('DBOS.recv', ['workflow']);
  const input = { workflow: workflow.id, topic, timeoutMs: timeoutOf(options) };
  return awaited('recv', [topic], { name: 'DBOS.recv', input });
}

export async function setEvent(key: string, value: unknown, format?: Format): Promise<void> {
  checkFormat(format, 'DBOS.setEvent');
  const { workflow } = scopeOf('DBOS.setEvent', ['workflow']);
  const input = { workflow: workflow.id, key, value: encode(value, 'value') };
  await hosted('event', [key, value], { name: 'DBOS.setEvent', input });
}

/** The event's value; null when it was not set in time. */
export async function getEvent(workflow: string, key: string, options?: number | WaitOptions): Promise<unknown> {
  scopeOf('DBOS.getEvent', ['workflow']);
  const input = { workflow, key, timeoutMs: timeoutOf(options) };
  return awaited('event', [workflow, key], { name: 'DBOS.getEvent', input });
}

export async function writeStream(key: string, value: unknown, format?: Format): Promise<void> {
  checkFormat(format, 'DBOS.writeStream');
  const { workflow } = scopeOf('DBOS.writeStream', ['workflow', 'step']);
  const input = { workflow: workflow.id, key, value: encode(value, 'value') };
  await hosted('event', [key, value], { name: 'DBOS.writeStream', input });
}

export async function closeStream(key: string): Promise<void> {
  const { workflow } = scopeOf('DBOS.closeStream', ['workflow', 'step']);
  await hosted('event', [key], { name: 'DBOS.closeStream', input: { workflow: workflow.id, key } });
}

function hosted(
  kind: 'send' | 'recv' | 'event',
  args: readonly unknown[],
  { name, input }: HostedCall,
): Promise<unknown> {
  return operateHosted({
    kind,
    name,
    arguments: identify(encode(args, 'arguments')),
    repeatable: true,
    input,
    queued: false,
    endsOnCancel: false,
  });
}

/** The host counts the time from the first intent, so the limit that counts is the first attempt's, too. */
function awaited(
  kind: 'recv' | 'event',
  args: readonly unknown[],
  { name, input }: Extract<HostedCall, { name: 'DBOS.recv' | 'DBOS.getEvent' }>,
): Promise<unknown> {
  return operateHosted({
    kind,
    name,
    arguments: (recorded) => {
      if (recorded !== undefined) input.timeoutMs = (decode(recorded.arguments ?? '') as unknown[]).at(-1) as number;
      return encode([...args, input.timeoutMs], 'arguments');
    },
    repeatable: true,
    input,
    queued: false,
    endsOnCancel: true,
  });
}

function scopeOf(name: string, kinds: readonly Scope['kind'][]): Scope {
  const scope = currentScope();
  if (scope !== undefined && kinds.includes(scope.kind)) return scope;
  const where =
    scope === undefined
      ? 'outside of a workflow'
      : `inside a ${scope.kind === 'tool' ? "tool's callback" : scope.kind}`;
  throw new DBOSInvalidWorkflowTransitionError(`Invalid call to \`${name}\` ${where}`);
}

function timeoutOf(options: number | WaitOptions = {}): number {
  if (typeof options === 'number') return options * 1000;
  const { timeoutSeconds, deadlineEpochMS } = options;
  if (deadlineEpochMS !== undefined) return Math.max(0, deadlineEpochMS - Date.now());
  return timeoutSeconds === undefined ? defaultTimeoutMs : timeoutSeconds * 1000;
}

function checkFormat(format: Format | undefined, name: string): void {
  if (format?.serializationType === 'portable') absent(`the option serializationType: 'portable' of ${name}`);
}
