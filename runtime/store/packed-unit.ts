import type { Checkpoint, Intend } from './operations.ts';
import type { Unit } from './writer-messages.ts';

/**
 * A unit on its way to the writer. The two that nearly all units are, a single intent and a single checkpoint of a value,
 * go as rows: copying an object to another thread costs five times as much as copying its values.
 */
export type PackedUnit = Unit | IntendRow | CheckpointRow;

type IntendRow = readonly [
  'intend',
  ...common: Common,
  kind: Intend['kind'],
  name: string,
  arguments: string | null,
  repeatable: boolean,
  source: string | null,
];
type CheckpointRow = readonly ['checkpoint', ...common: Common, value: string];
type Common = readonly [at: number, run: string, epoch: number, attempt: number, id: Intend['id']];

export function packUnit(unit: Unit): PackedUnit {
  const [write] = unit;
  if (unit.length !== 1) return unit;
  if (write?.tag === 'operation/intend') {
    const { at, claim, attempt, id, kind, name, repeatable, source } = write;
    return ['intend', at, claim.run, claim.epoch, attempt, id, kind, name, write.arguments, repeatable, source];
  }
  if (write?.tag === 'operation/checkpoint' && write.outcome.ok) {
    const { at, claim, attempt, id, outcome } = write;
    return ['checkpoint', at, claim.run, claim.epoch, attempt, id, outcome.value];
  }
  return unit;
}

export function unpackUnit(packed: PackedUnit): Unit {
  if (isIntend(packed)) {
    const [, at, run, epoch, attempt, id, kind, name, args, repeatable, source] = packed;
    const claim = { run, epoch };
    const write: Intend = {
      tag: 'operation/intend',
      at,
      claim,
      attempt,
      id,
      kind,
      name,
      arguments: args,
      repeatable,
      source,
    };
    return [write];
  }
  if (isCheckpoint(packed)) {
    const [, at, run, epoch, attempt, id, value] = packed;
    const write: Checkpoint = {
      tag: 'operation/checkpoint',
      at,
      claim: { run, epoch },
      attempt,
      id,
      outcome: { ok: true, value },
    };
    return [write];
  }
  return packed;
}

function isIntend(packed: PackedUnit): packed is IntendRow {
  return packed[0] === 'intend';
}

function isCheckpoint(packed: PackedUnit): packed is CheckpointRow {
  return packed[0] === 'checkpoint';
}
