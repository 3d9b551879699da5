import { describeEnd, eventData, type EventData, type EventType, type LabEvent } from '../../runtime/contract/index.ts';
import { byteSize, duration } from '../design/words.ts';

type Words = { readonly [Type in EventType]?: (data: EventData<Type>) => string };

interface Schema {
  safeParse(data: unknown): { readonly success: boolean; readonly data?: unknown };
}

/** What an event says, in one line. Of types that are not here, and of data of another shape, the data itself. */
export function eventWords({ type, data }: LabEvent): string {
  const schema: Schema = eventData[type];
  const parsed = schema.safeParse(data);
  const say = words[type] as ((data: unknown) => string) | undefined;
  return say !== undefined && parsed.success ? say(parsed.data) : JSON.stringify(data).slice(0, 300);
}

const words: Words = {
  'run.created': ({ relay, forkedFrom }) =>
    forkedFrom === null ? `of relay ${relay}` : `forked from ${forkedFrom.run} at operation ${forkedFrom.operation}`,
  'run.claimed': ({ epoch, holder, revision }) => `epoch ${epoch} by host pid ${holder.pid} · revision ${revision}`,
  'run.moved': ({ from, to, reason, revision }) =>
    `${from} → ${to} · revision ${revision}${reason === null ? '' : ` · ${reason}`}`,
  'run.changed': (data) =>
    data.change === 'recovery'
      ? `recovery is ${data.recovery}`
      : data.change === 'attempt-budget'
        ? `attempt budget is ${data.attemptBudget}`
        : `${data.copied} operations copied from ${data.from}`,
  'attempt.spawned': ({ pid }) => `pid ${pid}`,
  'attempt.ended': ({ cause }) => describeEnd(cause),
  'crash-point.armed': ({ point }) => point,
  'crash-point.fired': ({ point }) => point,
  'crash-point.missed': ({ point }) => point,
  'crash-point.withdrawn': ({ point }) => point,
  'operation.intended': ({ kind, name, bodies }) => `${kind} ${name} · body ${bodies}`,
  'operation.checkpointed': (data) => (data.ok ? 'result' : `error: ${data.error}`),
  'operation.reused': ({ diverged }) =>
    diverged ? 'from its checkpoint · asked with other arguments than recorded' : 'from its checkpoint',
  'operation.try': ({ number, error, retryInMs }) =>
    `try ${number} failed: ${error.name}: ${error.message}${retryInMs === null ? '' : ` · next in ${duration(retryInMs)}`}`,
  'operation.decided': ({ decision, by }) => `${decision} by ${by}`,
  'receipt.added': ({ kind, name, ok }) => `${kind} ${name}${ok ? '' : ' · not granted or failed'}`,
  'artifact.added': ({ path, bytes }) => `${path} · ${byteSize(bytes)}`,
};
