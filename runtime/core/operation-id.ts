/**
 * Operation ids. A top-level operation of a run is its number in program order (`3`); an operation nested in another
 * (a platform call inside a step, an operation of a child workflow) is its parent's id, a dot and its number in call
 * order (`3.0`). DESIGN.md section 5.
 */
declare const operationId: unique symbol;
export type OperationId = string & { [operationId]: true };

const shape = /^(0|[1-9]\d{0,8})(\.(0|[1-9]\d{0,8}))*$/;

/** Parses a dotted id; null when the text is none. */
export function parseOperationId(text: string): OperationId | null {
  return shape.test(text) ? (text as OperationId) : null;
}

/** The id of the n-th (from 0) operation inside `parent`, or of the run itself when `parent` is null. */
export function childId(parent: OperationId | null, n: number): OperationId {
  return (parent === null ? `${n}` : `${parent}.${n}`) as OperationId;
}

export function parentId(id: OperationId): OperationId | null {
  const dot = id.lastIndexOf('.');
  return dot === -1 ? null : (id.slice(0, dot) as OperationId);
}

const lengthMarks = 'abcdefghi';

/**
 * A text that sorts, byte by byte, as ids do in program order: each number is led by a letter for its count of digits,
 * so `2` < `10` < `10.0` < `11`. The ledger's primary key, so that pages of operations come in program order.
 */
export function toSortKey(id: OperationId): string {
  return id
    .split('.')
    .map((n) => (lengthMarks[n.length - 1] ?? 'i') + n)
    .join('.');
}

export function fromSortKey(key: string): OperationId {
  return key
    .split('.')
    .map((n) => n.slice(1))
    .join('.') as OperationId;
}
