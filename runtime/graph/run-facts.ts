import type { LabEvent, Operation } from '../contract/index.ts';
import type { JsonObject, OperationId } from '../core/index.ts';

/** What a graph needs of an operation: none of its values. */
export interface GraphOperation extends Pick<Operation, 'id' | 'kind' | 'name' | 'uncertain'> {
  /** Null while it has no checkpoint. */
  readonly ok: boolean | null;
}

/** What a graph needs of an event. */
export interface GraphEvent {
  readonly sequence: number;
  readonly what: 'begun' | 'done' | 'reused' | 'hit';
  readonly operation: OperationId;
  /** Null for a person's decision. */
  readonly attempt: number | null;
}

export function graphOperation({ id, kind, name, uncertain, outcome }: Operation): GraphOperation {
  return { id, kind, name, uncertain, ok: outcome === null ? null : outcome.ok };
}

/** Null for an event that a graph does not show. */
export function graphEvent({ sequence, type, operation, attempt, data }: LabEvent): GraphEvent | null {
  if (operation === null) return null;
  switch (type) {
    case 'operation.intended':
      return { sequence, what: 'begun', operation, attempt };
    case 'operation.checkpointed':
      return { sequence, what: 'done', operation, attempt };
    case 'operation.decided':
      return (data as JsonObject)['decision'] === 'accept' ? { sequence, what: 'done', operation, attempt } : null;
    case 'operation.reused':
      return { sequence, what: 'reused', operation, attempt };
    case 'crash-point.fired':
      return { sequence, what: 'hit', operation, attempt };
    default:
      return null;
  }
}
