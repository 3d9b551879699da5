import { useMemo } from 'react';
import type { LabEvent } from '../../runtime/contract/index.ts';
import type { EventFilter } from '../events/filter-events.ts';

const field = 'h-7 rounded border border-line bg-panel px-2 text-xs';

interface EventsFilterProps {
  readonly events: readonly LabEvent[];
  readonly operations: readonly string[];
  readonly filter: EventFilter;
  onChange(this: void, filter: EventFilter): void;
}

/** Which events are shown: by type, by operation, by words. Types are those that the run has. */
export function EventsFilter({ events, operations, filter, onChange }: EventsFilterProps) {
  const types = useMemo(() => {
    const exact = [...new Set<string>(events.map(({ type }) => type))].sort();
    const groups = Map.groupBy(exact, (type) => type.split('.')[0] ?? type);
    return [...groups].flatMap(([group, members]) => (members.length > 1 ? [group, ...members] : members));
  }, [events]);
  const id = filter.operation ?? '';
  return (
    <>
      <input
        type="search"
        aria-label="Words in the event"
        placeholder="Filter by words"
        className={`${field} w-44`}
        value={filter.text}
        onChange={({ target }) => onChange({ ...filter, text: target.value })}
      />
      <select
        aria-label="Type of event"
        className={field}
        value={filter.type ?? ''}
        onChange={({ target }) => onChange({ ...filter, type: target.value === '' ? null : target.value })}
      >
        <option value="">All types</option>
        {types.map((type) => (
          <option key={type} value={type}>
            {type.includes('.') || type === 'log' || type === 'note' ? type : `${type}.*`}
          </option>
        ))}
      </select>
      <input
        aria-label="Operation"
        placeholder="Operation"
        list="event-operations"
        className={`${field} w-24 font-mono`}
        value={id}
        onChange={({ target }) =>
          onChange({ ...filter, operation: target.value.trim() === '' ? null : target.value.trim() })
        }
      />
      <datalist id="event-operations">
        {operations.slice(0, 200).map((operation) => (
          <option key={operation} value={operation} />
        ))}
      </datalist>
    </>
  );
}
