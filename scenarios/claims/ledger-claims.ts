import { eventData, type EventData, type EventType, type LabEvent } from '../../runtime/contract/index.ts';
import { says, type Claim } from '../claim.ts';
import type { RunFacts } from '../run-facts.ts';

/** The events of one type, with what they carry. */
export function eventsOf<Type extends EventType>(
  events: readonly LabEvent[],
  type: Type,
): { event: LabEvent; data: EventData<Type> }[] {
  return events
    .filter((event) => event.type === type)
    .map((event) => ({ event, data: eventData[type].parse(event.data) as EventData<Type> }));
}

/** Sequence numbers start at 1, and the run's last one is the last event's. */
export const eventsWithoutGap: Claim<RunFacts> = says('events', 'in sequence, without a gap', ({ run, events }) => {
  const gap = events.findIndex(({ sequence }, index) => sequence !== index + 1);
  if (gap !== -1) return `number ${gap + 1} is ${events[gap]?.sequence}`;
  if (events.length === 0) return 'none';
  return run.lastSequence === events.length
    ? 'in sequence, without a gap'
    : `${events.length} events, and the run says ${run.lastSequence}`;
});

/** A run begins at revision 1, each change of it raised that by one, and the last of them is the run's. */
export const revisionsWithoutGap: Claim<RunFacts> = says('revisions', 'raised by one at a time', ({ run, events }) => {
  const revisions = events.flatMap(({ data }) =>
    typeof data === 'object' && data !== null && 'revision' in data ? [Number(data['revision'])] : [],
  );
  const all = [1, ...revisions];
  const jump = all.findIndex((revision, index) => revision !== index + 1);
  if (jump !== -1) return `${all[jump - 1]} was followed by ${all[jump]}`;
  return all.length === run.revision
    ? 'raised by one at a time'
    : `the last event says ${all.length}, and the run says ${run.revision}`;
});

/** The states that the run went through. */
export function goesThrough(path: string): Claim<RunFacts> {
  return says('states', path, ({ run, events }) => {
    const states = ['queued'];
    for (const event of events) {
      if (event.type === 'run.claimed') states.push('running');
      if (event.type === 'run.moved') states.push(eventData['run.moved'].parse(event.data).to);
    }
    const path = states.join(' → ');
    return states.at(-1) === run.state ? path : `${path}, and the run says ${run.state}`;
  });
}

/** What holds of every run at rest. */
export const soundLedger: readonly Claim<RunFacts>[] = [eventsWithoutGap, revisionsWithoutGap];
