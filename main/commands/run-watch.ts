import type { LabClient, LabEvent, Run, RunDetail } from '../../runtime/contract/index.ts';
import type { JsonObject } from '../../runtime/core/index.ts';
import { exitCodes, type CommandContext } from '../command-action.ts';
import { describeEvent } from '../event-words.ts';
import { printable, type Output } from '../output.ts';
import { describeRun } from '../run-words.ts';
import { withAllOperations } from './run-target.ts';

export interface WatchOptions {
  /** Print each event, rather than what goes on right now. */
  readonly follow?: true;
}

/** Waits until the run is at rest, showing what happens after event number `after`, and then prints how it stands. */
export async function watchToRest(
  { client, out }: Pick<CommandContext, 'client' | 'out'>,
  run: Run,
  after: number,
  { follow = false }: { readonly follow?: boolean },
): Promise<RunDetail> {
  const progress = runProgress(run, out);
  const settled = await followToRest(client, run.id, after, (event) => {
    if (follow) out.result(event, () => [describeEvent(event)]);
    else progress(event);
  });
  out.progress(null);
  const detail = await withAllOperations(client, settled);
  out.result(detail, () => [...(follow ? [''] : []), ...describeRun(detail, out.paint)]);
  if (!out.json) nextSteps(detail).forEach((line) => out.note(line));
  return detail;
}

/** What a person may do about a run that came to rest without an end. */
function nextSteps({ run, operations }: RunDetail): string[] {
  if (run.state === 'interrupted') return ['', `next: recovery-lab run recover ${run.id}`];
  const uncertain = operations.find((one) => one.uncertain);
  if (run.state !== 'needs_reconciliation' || uncertain === undefined) return [];
  const decide = `recovery-lab run reconcile ${run.id} --operation ${uncertain.id}`;
  return [
    '',
    `next: find out whether "${printable(uncertain.name)}" happened, then one of:`,
    ...['--accept JSON', '--again', '--fail MESSAGE'].map((how) => `  ${decide} ${how}`),
  ];
}

/** Hands over every event of the run after `after`, until it is at rest and the last of them was handed over. */
export async function followToRest(
  client: LabClient,
  run: string,
  after: number,
  listener: (event: LabEvent) => void,
): Promise<RunDetail> {
  let reached = after;
  let lastSequence = Infinity;
  const complete = Promise.withResolvers<void>();
  const take = (event: LabEvent): void => {
    listener(event);
    reached = event.sequence;
    if (reached >= lastSequence) complete.resolve();
  };
  const stop = client.follow('run/events', { run, after }, (events) => events.forEach(take), complete.reject);
  try {
    const detail = await client.call('run/settled', { run });
    lastSequence = detail.run.lastSequence;
    if (reached < lastSequence) await complete.promise;
    return detail;
  } finally {
    stop();
  }
}

export function exitCodeOf({ run }: RunDetail): 0 | 1 {
  return run.state === 'succeeded' ? exitCodes.done : exitCodes.failed;
}

/** What goes on in a run, a line for each change of note, and on a terminal also the operation at work. */
function runProgress(run: Run, out: Output): (event: LabEvent) => void {
  let attempt = run.attempts;
  let checkpointed = 0;
  const name = `run ${run.id}`;
  return (event) => {
    const { type } = event;
    const field = (key: string): string => fieldText(event, key);
    if (event.attempt !== null) attempt = event.attempt;
    if (type === 'operation.checkpointed') checkpointed += 1;
    if (type === 'attempt.spawned') out.progress(`${name}: attempt ${attempt} runs`);
    else if (type === 'crash-point.fired')
      out.progress(`${name}: attempt ${attempt} reached its crash point ${field('point')}`);
    else if (type === 'run.moved') out.progress(`${name}: ${field('to')}`);
    else if (type === 'operation.try')
      out.progress(`${name}: operation ${event.operation ?? ''}, try ${field('number')} failed`);
    else if (process.stderr.isTTY && type.startsWith('operation.')) {
      out.progress(`${name}: attempt ${attempt}, ${checkpointed} operations checkpointed`);
    }
  };
}

function fieldText({ data }: LabEvent, key: string): string {
  const value = (data as JsonObject | null)?.[key];
  return typeof value === 'string' ? printable(value) : JSON.stringify(value ?? '');
}
