import type { TraceNode } from './trace-tree.ts';

/** A line of the trace that is in view, with its place in the tree as a screen reader says it. */
export interface TraceRow {
  readonly node: TraceNode;
  /** From 1. */
  readonly level: number;
  readonly isExpanded: boolean;
  /** Place among its siblings, from 1, and how many they are. */
  readonly position: number;
  readonly siblings: number;
  /** Place of its parent among the rows; -1 at the top. */
  readonly parent: number;
  /** The attempt that it is in: the span that its bar is drawn in. */
  readonly frame: { readonly from: number; readonly to: number | null };
}

/** Attempts are open at first, and what is in their operations where that is little. */
function isExpandedAtFirst(node: TraceNode, operations: number): boolean {
  return node.kind === 'attempt' || operations <= 40;
}

/** The lines of the tree that are to be seen, in order. `toggled` holds the keys of those that are not as at first. */
export function traceRows(
  tree: readonly TraceNode[],
  toggled: ReadonlySet<string>,
  operations: number,
): readonly TraceRow[] {
  const rows: TraceRow[] = [];
  const visit = (nodes: readonly TraceNode[], level: number, parent: number, frame: TraceRow['frame'] | null): void => {
    for (const [place, node] of nodes.entries()) {
      const isExpanded = node.children.length > 0 && isExpandedAtFirst(node, operations) !== toggled.has(node.key);
      const own = frame ?? { from: node.from, to: node.to };
      const row = rows.push({
        ...{ node, level, isExpanded, position: place + 1, siblings: nodes.length, parent, frame: own },
      });
      if (isExpanded) visit(node.children, level + 1, row - 1, own);
    }
  };
  visit(tree, 1, -1, null);
  return rows;
}

/** What a key does in the tree, from the row at `active`: the row to go to, or the one to open or close. */
type TreeMove =
  | { readonly kind: 'go'; readonly to: number }
  | { readonly kind: 'toggle'; readonly key: string }
  | { readonly kind: 'select' };

/** Keys of a tree grid. Null for a key that is none of them or leads nowhere. `page` is how many rows are in view. */
export function treeMove(key: string, rows: readonly TraceRow[], active: number, page: number): TreeMove | null {
  const row = rows[active];
  if (row === undefined) return null;
  const go = (to: number): TreeMove => ({ kind: 'go', to: Math.max(0, Math.min(rows.length - 1, to)) });
  switch (key) {
    case 'ArrowDown':
      return go(active + 1);
    case 'ArrowUp':
      return go(active - 1);
    case 'PageDown':
      return go(active + page);
    case 'PageUp':
      return go(active - page);
    case 'Home':
      return go(0);
    case 'End':
      return go(rows.length - 1);
    case 'ArrowRight':
      if (row.node.children.length === 0) return null;
      return row.isExpanded ? go(active + 1) : { kind: 'toggle', key: row.node.key };
    case 'ArrowLeft':
      if (row.isExpanded) return { kind: 'toggle', key: row.node.key };
      return row.parent === -1 ? null : go(row.parent);
    case 'Enter':
    case ' ':
      return row.node.operation === null ? { kind: 'toggle', key: row.node.key } : { kind: 'select' };
    default:
      return null;
  }
}

/** Where a bar stands in the span of its attempt: parts of one. What goes on reaches to the end. */
export function barOf({ node, frame }: TraceRow, now: number): { readonly left: number; readonly width: number } {
  const end = Math.max(frame.to ?? now, frame.from + 1);
  const length = end - frame.from;
  const part = (at: number): number => Math.max(0, Math.min(1, (at - frame.from) / length));
  const left = part(node.from);
  return { left, width: part(node.to ?? end) - left };
}
