import type { FromChild } from '../contract/index.ts';
import { stamp, type AttemptContext } from './attempt-context.ts';

type Frame<Tag extends FromChild['tag']> = Extract<FromChild, { tag: Tag }>;

/** Operations whose bodies run in the relay's process: the host records them and answers. */
export async function intend(context: AttemptContext, frame: Frame<'intend'>): Promise<void> {
  const { gate } = context;
  if (gate.reach('before-intent', frame)) return;
  context.open.open(frame);
  const { id, kind, name, repeatable, source } = frame;
  const write = { id, kind, name, arguments: frame.arguments, repeatable, source };
  await context.commit([{ tag: 'operation/intend', ...stamp(context), ...write }], !frame.wait);
  if (!frame.wait || context.isOver() || gate.reach('after-intent', frame)) return;
  await gate.bodyStarts(frame);
  context.send({ tag: 'ack', id, phase: 'intent' });
}

export async function checkpoint(context: AttemptContext, frame: Frame<'checkpoint'>): Promise<void> {
  const { gate } = context;
  const { id, outcome } = frame;
  const subject = context.open.named(id);
  if (gate.bodyEnds(subject) || gate.reach('before-checkpoint', subject)) return;
  await context.commit([{ tag: 'operation/checkpoint', ...stamp(context), id, outcome }]);
  context.open.close(id);
  if (context.isOver() || gate.reach('after-checkpoint', subject)) return;
  context.send({ tag: 'ack', id, phase: 'checkpoint' });
}

export function reused(context: AttemptContext, frame: Frame<'reused'>): void {
  const { id, diverged } = frame;
  context.keep([{ tag: 'operation/reused', ...stamp(context), id, diverged, arguments: frame.arguments }]);
  if (context.gate.isIdle) return;
  const name = context.parts.ledger.operation(context.run.id, id)?.name ?? '';
  context.gate.reach('at-reuse', { id, name });
}

export function tried(context: AttemptContext, frame: Frame<'try'>): void {
  const { id, number, error, retryInMs } = frame;
  const write = stamp(context);
  context.retries.failed(id, retryInMs === null ? null : write.at + retryInMs);
  context.keep([{ tag: 'operation/try', ...write, id, number, error, retryInMs }]);
  // The relay does not wait for this record: it is killed now, before its next try, and the record is made all the same.
  if (retryInMs !== null) context.gate.reach('between-tries', context.open.named(id));
}

export function logged(context: AttemptContext, frame: Frame<'log'>): void {
  const { level, message, operation, fields } = frame;
  const { at, attempt } = stamp(context);
  context.files.appendLog({ at, attempt, operation, level, message, fields });
  const data = { level, message, fields };
  context.keep([{ tag: 'event/add', at, run: context.run.id, type: 'log', attempt, operation, data }]);
}

/** `maxRecoveryAttempts` of the workflow may lower the budget of the run, never raise it. */
export function budgetLowered(context: AttemptContext, frame: Frame<'budget'>): void {
  if (frame.attempts >= context.run.attemptBudget) return;
  const { at, claim } = stamp(context);
  context.keep([{ tag: 'run/lower-budget', at, claim, attemptBudget: frame.attempts }]);
}
