import { useMemo } from 'react';
import { operationMarks } from '../design/marks.ts';
import type { RowFilter } from '../history/operation-rows.ts';
import type { OperationHistory } from '../history/run-history.ts';

const field = 'h-7 rounded border border-line bg-panel px-1.5 text-[13px]';

interface OperationsFilterProps {
  readonly filter: RowFilter;
  readonly onChange: (filter: RowFilter) => void;
  readonly operations: readonly OperationHistory[];
}

export function OperationsFilter({ filter, onChange, operations }: OperationsFilterProps) {
  const kinds = useMemo(() => [...new Set(operations.map(({ kind }) => kind))].sort(), [operations]);
  return (
    <>
      <input
        type="search"
        aria-label="Find in operations"
        placeholder="Find id, name, error…"
        className={`${field} w-44`}
        value={filter.text}
        onChange={({ target }) => onChange({ ...filter, text: target.value })}
      />
      <select
        aria-label="Kind"
        className={field}
        value={filter.kind ?? ''}
        onChange={({ target }) => onChange({ ...filter, kind: target.value || null })}
      >
        <option value="">every kind</option>
        {kinds.map((kind) => (
          <option key={kind}>{kind}</option>
        ))}
      </select>
      <select
        aria-label="State"
        className={field}
        value={filter.state ?? ''}
        onChange={({ target }) => onChange({ ...filter, state: target.value || null })}
      >
        <option value="">every state</option>
        {Object.entries(operationMarks).map(([state, { words }]) => (
          <option key={state} value={state}>
            {words}
          </option>
        ))}
      </select>
    </>
  );
}
