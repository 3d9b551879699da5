import type { RunGraph } from '../contract/index.ts';
import type { OperationId } from '../core/index.ts';

type Edge = RunGraph['edges'][number];

/** An operation among those of the same parent. `begun` and `done` are moments; one that is not done is at Infinity. */
export interface Sibling {
  readonly id: OperationId;
  readonly begun: number;
  readonly done: number;
}

/**
 * What led from one operation to the next, among siblings in program order. An operation follows each earlier one that
 * was done when it was begun and that nothing follows yet, else the last that was done: so a fan joins again, and a graph
 * has at most two `next` edges for each operation. It stands `beside` the last earlier one that was open then.
 */
export function siblingEdges(siblings: readonly Sibling[]): Edge[] {
  const edges: Edge[] = [];
  const followed = new Set<OperationId>();
  for (const [place, one] of siblings.entries()) {
    const earlier = siblings.slice(0, place);
    const done = earlier.filter((other) => other.done <= one.begun);
    const loose = done.filter(({ id }) => !followed.has(id));
    const before = loose.length > 0 ? loose : done.slice(-1);
    const beside = earlier.findLast((other) => other.begun <= one.begun && other.done > one.begun);
    // Begun before all that precede it in the program, when a death kept those from their beginning: it follows the last.
    const last = before.length === 0 && beside === undefined ? earlier.slice(-1) : [];
    for (const { id } of [...before, ...last]) {
      edges.push({ from: id, to: one.id, kind: 'next' });
      followed.add(id);
    }
    if (beside !== undefined) edges.push({ from: beside.id, to: one.id, kind: 'beside' });
  }
  return edges;
}
