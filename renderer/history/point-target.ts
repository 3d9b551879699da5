import type { OperationHistory, PointHistory } from './run-history.ts';

/** What a crash point's text aims at. `operation` is null for a point of the run. */
export interface PointTarget {
  readonly operation: { readonly id: string } | { readonly name: string; readonly occurrence: number } | null;
  readonly phase: string;
  /** Delay and action as they are written, such as `+50=SIGTERM`; usually empty. */
  readonly rest: string;
}

const shape = /^(.+?)(?:#(\d+))?@([a-z-]+)((?:\+\d+)?(?:=.+)?)$/;
const idShape = /^\d+(\.\d+)*$/;

/** Reads `OPERATION[#N]@PHASE[+MS][=ACTION]`; null for anything else. */
export function pointTarget(text: string): PointTarget | null {
  const [, name, occurrence, phase, rest] = shape.exec(text) ?? [];
  if (name === undefined || phase === undefined) return null;
  const operation = idShape.test(name)
    ? { id: name }
    : name === 'run'
      ? null
      : { name, occurrence: Number(occurrence ?? 1) };
  return { operation, phase, rest: rest ?? '' };
}

/** The operation that a point aims at, as far as it is known; names count in program order. */
export function aimedAt(operations: readonly OperationHistory[], text: string): OperationHistory | null {
  const target = pointTarget(text)?.operation ?? null;
  if (target === null) return null;
  if ('id' in target) return operations.find(({ id }) => id === target.id) ?? null;
  let left = target.occurrence;
  return operations.find(({ name }) => name === target.name && (left -= 1) === 0) ?? null;
}

/** Points by the operation that they fired at or aim at; those of the run, and of what is not known yet, under ''. */
export function pointsByOperation<Point extends Pick<PointHistory, 'point'> & { operation?: string | null }>(
  operations: readonly OperationHistory[],
  points: readonly Point[],
): ReadonlyMap<string, readonly Point[]> {
  const found = new Map<string, Point[]>();
  for (const point of points) {
    const id = point.operation ?? aimedAt(operations, point.point)?.id ?? '';
    found.set(id, [...(found.get(id) ?? []), point]);
  }
  return found;
}

/** Names that read as nothing else in a point's text. */
const plainName = /^(?!run$)(?!\d)[^@#+=]+$/;

/** The point at a phase of an operation, by name where that is clear, else by id. */
export function pointAt(operations: readonly OperationHistory[], operation: OperationHistory, phase: string): string {
  const isClear =
    plainName.test(operation.name) && operations.find(({ name }) => name === operation.name) === operation;
  return `${isClear ? operation.name : operation.id}@${phase}`;
}
