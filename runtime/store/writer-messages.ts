import type { LabEvent } from '../contract/index.ts';
import type { LabErrorData, LedgerWrite } from '../core/index.ts';
import type { ConnectionSettings } from './connection.ts';
import type { PackedUnit } from './packed-unit.ts';

export type Unit = readonly LedgerWrite[];

/** A unit's transaction has returned. */
export interface Committed {
  /** The epoch that a `run/claim` of this unit gave, else null. */
  readonly epoch: number | null;
  /** The events of this unit, in order. */
  readonly events: readonly LabEvent[];
}

/**
 * What became of a unit. A number stands for a committed unit of one write whose one event follows from the write itself
 * (see `plainEvent`): its sequence number. Those are nearly all, and an event costs more to hand over than to make.
 */
export type UnitOutcome = number | Committed | { readonly refused: LabErrorData };

export interface WriterOrder {
  readonly file: string;
  readonly create: boolean;
}

export type ToWriter = { readonly tag: 'units'; readonly units: readonly PackedUnit[] } | { readonly tag: 'close' };

export type FromWriter =
  | { readonly tag: 'open'; readonly settings: ConnectionSettings }
  | { readonly tag: 'not-open'; readonly error: LabErrorData }
  /** In the order of the units. What is in here is durable. */
  | { readonly tag: 'outcomes'; readonly outcomes: readonly UnitOutcome[] }
  | { readonly tag: 'closed' };
