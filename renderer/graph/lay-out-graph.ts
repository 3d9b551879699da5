import type { RunGraph } from '../../runtime/contract/index.ts';
import { gaps, layOutSection, type Size } from './lay-out-section.ts';
import { sections } from './sections.ts';

export type GraphNode = RunGraph['nodes'][number];

/** An operation's place, in pixels, from the corner of the one that it is nested in. */
export interface PlacedNode extends Size {
  readonly node: GraphNode;
  readonly x: number;
  readonly y: number;
}

/** Pixels. `head` is the height of an operation without what is nested in it. */
export const nodeSizes = { width: 196, head: 62, inset: 14 } as const;

/**
 * Places operations from left to right in the order in which one led to the next, those that ran beside each other below
 * each other, and nested ones inside the operation that called them. Parents come before what is nested in them.
 */
export function layOutGraph({ nodes, edges }: Pick<RunGraph, 'nodes' | 'edges'>): PlacedNode[] {
  const ids = new Set<string>(nodes.map(({ id }) => id));
  // A cut graph may hold a node whose parent was left out: it stands at the top then.
  const parentOf = ({ parent }: GraphNode): GraphNode['parent'] => (parent !== null && ids.has(parent) ? parent : null);
  const children = Map.groupBy(nodes, parentOf);
  // Edges are between siblings.
  const parents = new Map<string, GraphNode['parent']>(nodes.map((node) => [node.id, parentOf(node)]));
  const edgesIn = Map.groupBy(edges, ({ from }) => parents.get(from) ?? null);

  /** What stands in one parent: its extent, and every node below it. */
  function place(parent: GraphNode['parent']): Size & { readonly placed: PlacedNode[] } {
    const own = children.get(parent) ?? [];
    const within = edgesIn.get(parent) ?? [];
    const inner = new Map<string, ReturnType<typeof place>>(own.map(({ id }) => [id, place(id)]));
    const sizeOf = (id: string): Size => sizeAround(inner.get(id));
    const parts = layOutSections(own, within, sizeOf);
    const height = Math.max(0, ...parts.map((part) => part.height));
    const offset = parent === null ? { x: 0, y: 0 } : { x: nodeSizes.inset, y: nodeSizes.head };
    const placed: PlacedNode[] = [];
    let left = 0;
    for (const { corners, width, ...part } of parts) {
      for (const node of part.nodes) {
        const { x, y } = corners.get(node.id) ?? { x: 0, y: 0 };
        // All sections on one line.
        const top = y + (height - part.height) / 2;
        placed.push({ node, x: offset.x + left + x, y: offset.y + top, ...sizeOf(node.id) });
        placed.push(...(inner.get(node.id)?.placed ?? []));
      }
      left += width + gaps.column;
    }
    return { width: Math.max(0, left - gaps.column), height, placed };
  }
  return place(null).placed;
}

function layOutSections(own: readonly GraphNode[], edges: RunGraph['edges'], sizeOf: (id: string) => Size) {
  const cut = sections(own, edges);
  const sectionOf = new Map<string, number>(cut.flatMap((nodes, place) => nodes.map(({ id }) => [id, place] as const)));
  // Only what led on gives an order: an edge that says `beside` must not push its end to the right.
  const next = edges.filter(({ from, to, kind }) => kind === 'next' && sectionOf.get(from) === sectionOf.get(to));
  const nextIn = Map.groupBy(next, ({ from }) => sectionOf.get(from));
  return cut.map((nodes, place) => ({ nodes, ...layOutSection(nodes, nextIn.get(place) ?? [], sizeOf) }));
}

function sizeAround(inner: Size | undefined): Size {
  if (inner === undefined || inner.width === 0) return { width: nodeSizes.width, height: nodeSizes.head };
  return {
    width: Math.max(nodeSizes.width, inner.width + 2 * nodeSizes.inset),
    height: nodeSizes.head + inner.height + nodeSizes.inset,
  };
}
