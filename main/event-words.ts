import type { LabEvent } from '../runtime/contract/index.ts';
import { printable } from './output.ts';
import { shortened } from './table.ts';

/** An event as one line: when, which, where, what. */
export function describeEvent(event: LabEvent): string {
  const time = new Date(event.at).toISOString().slice(11, 23);
  const place = [
    event.attempt === null ? null : `attempt ${event.attempt}`,
    event.operation === null ? null : `operation ${event.operation}`,
  ].filter((part) => part !== null);
  const data = event.data === null ? '' : shortened(printable(JSON.stringify(event.data)), 400);
  return [`${event.sequence}`.padStart(5), time, event.type.padEnd(22), ...place, data].join('  ').trimEnd();
}
