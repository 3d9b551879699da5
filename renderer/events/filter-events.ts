import type { LabEvent } from '../../runtime/contract/index.ts';

export interface EventFilter {
  /** A type, or what it begins with: `operation`. Null for all. */
  readonly type: string | null;
  /** An operation, with what is nested in it. Null for all. */
  readonly operation: string | null;
  /** Words that all have to stand in the event. */
  readonly text: string;
}

/** Texts of events, made once: an event never changes. */
const texts = new WeakMap<LabEvent, string>();

/** The events that pass, in their order. */
export function filterEvents(events: readonly LabEvent[], filter: EventFilter): readonly LabEvent[] {
  const { type, operation } = filter;
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  if (type === null && operation === null && words.length === 0) return events;
  return events.filter((event) => {
    if (type !== null && event.type !== type && !event.type.startsWith(`${type}.`)) return false;
    if (operation !== null && event.operation !== operation && !isInside(event.operation, operation)) return false;
    return words.every((word) => textOf(event).includes(word));
  });
}

function isInside(id: string | null, parent: string): boolean {
  return id?.startsWith(`${parent}.`) === true;
}

function textOf(event: LabEvent): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const { sequence, type, attempt, operation, data } = event;
  const parts = [
    `#${sequence}`,
    type,
    attempt === null ? '' : `attempt ${attempt}`,
    operation ?? '',
    JSON.stringify(data),
  ];
  const text = parts.join(' ').toLowerCase();
  texts.set(event, text);
  return text;
}

/** What the numbers of a run's events say: that none is missing, or which are. `#1–#35, no gap`. */
export function sequenceWords(events: readonly LabEvent[]): string {
  const first = events[0]?.sequence;
  const last = events.at(-1)?.sequence;
  if (first === undefined || last === undefined) return 'no events';
  const missing: string[] = first === 1 ? [] : [first === 2 ? '#1' : `#1–#${first - 1}`];
  for (const [place, { sequence }] of events.entries()) {
    const before = place === 0 ? sequence - 1 : (events[place - 1]?.sequence ?? 0);
    if (sequence === before + 1) continue;
    missing.push(sequence === before + 2 ? `#${before + 1}` : `#${before + 1}–#${sequence - 1}`);
  }
  return `#${first}–#${last}, ${missing.length === 0 ? 'no gap' : `missing ${missing.join(', ')}`}`;
}
