import { Graph, layout } from '@dagrejs/dagre';
import type { RunGraph } from '../../runtime/contract/index.ts';

export type GraphNode = RunGraph['nodes'][number];

/** An operation's place, in pixels, from the corner of the one that it is nested in. */
export interface PlacedNode {
  readonly node: GraphNode;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Pixels. `head` is the height of an operation without what is nested in it. */
export const nodeSizes = { width: 196, head: 62, inset: 14, column: 44, row: 22 } as const;

/** As much of dagre's graph as is used here: its own declarations name files that TypeScript does not find. */
interface LayeredGraph {
  setGraph(label: { rankdir: 'LR'; nodesep: number; ranksep: number }): void;
  setNode(id: string, size: { width: number; height: number }): void;
  setEdge(from: string, to: string, label: object): void;
  hasNode(id: string): boolean;
  /** With the place of its middle, once it was laid out. */
  node(id: string): { x: number; y: number; width: number; height: number };
  graph(): { width?: number; height?: number };
}
const newGraph = Graph as new () => LayeredGraph;
const layOut = layout as (graph: LayeredGraph) => void;

/**
 * Places operations from left to right in the order in which one led to the next, those that ran beside each other below
 * each other, and nested ones inside the operation that called them. Parents come before what is nested in them.
 */
export function layOutGraph({ nodes, edges }: Pick<RunGraph, 'nodes' | 'edges'>): PlacedNode[] {
  const ids = new Set<string>(nodes.map(({ id }) => id));
  // A cut graph may hold a node whose parent was left out: it stands at the top then.
  const children = Map.groupBy(nodes, ({ parent }) => (parent !== null && ids.has(parent) ? parent : null));

  /** What stands in one parent: its extent, and every node below it. */
  function place(parent: GraphNode['parent']): { width: number; height: number; placed: PlacedNode[] } {
    const own = children.get(parent) ?? [];
    if (own.length === 0) return { width: 0, height: 0, placed: [] };
    const inner = new Map(own.map(({ id }) => [id, place(id)]));
    const graph = new newGraph();
    graph.setGraph({ rankdir: 'LR', nodesep: nodeSizes.row, ranksep: nodeSizes.column });
    for (const { id } of own) graph.setNode(id, sizeAround(inner.get(id)));
    for (const { from, to, kind } of edges) {
      // Edges are between siblings. One that only says `beside` must not push its end to the right.
      if (graph.hasNode(from) && graph.hasNode(to) && kind === 'next') graph.setEdge(from, to, {});
    }
    layOut(graph);
    const placed = own.flatMap((node): PlacedNode[] => {
      const { x, y, width, height } = graph.node(node.id);
      const corner = { x: x - width / 2, y: y - height / 2 };
      return [{ node, ...corner, width, height }, ...(inner.get(node.id)?.placed ?? [])];
    });
    const { width = 0, height = 0 } = graph.graph();
    // What is nested stands below the parent's own head.
    const moved = parent === null ? placed : placed.map((one) => (one.node.parent === parent ? inset(one) : one));
    return { width, height, placed: moved };
  }
  return place(null).placed;
}

function sizeAround(inner: { width: number; height: number } | undefined): { width: number; height: number } {
  if (inner === undefined || inner.width === 0) return { width: nodeSizes.width, height: nodeSizes.head };
  return {
    width: Math.max(nodeSizes.width, inner.width + 2 * nodeSizes.inset),
    height: nodeSizes.head + inner.height + nodeSizes.inset,
  };
}

function inset(one: PlacedNode): PlacedNode {
  return { ...one, x: one.x + nodeSizes.inset, y: one.y + nodeSizes.head };
}
