import { Graph, layout } from '@dagrejs/dagre';
import type { RunGraph } from '../../runtime/contract/index.ts';

type GraphNode = RunGraph['nodes'][number];
type GraphEdge = RunGraph['edges'][number];

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Places of the upper left corners, and the extent of all. Pixels. */
export interface LaidOut extends Size {
  readonly corners: ReadonlyMap<string, { readonly x: number; readonly y: number }>;
}

/** Pixels between columns and between rows. */
export const gaps = { column: 44, row: 22 } as const;

/** As much of dagre's graph as is used here: its own declarations name files that TypeScript does not find. */
interface LayeredGraph {
  setGraph(label: { rankdir: 'LR'; nodesep: number; ranksep: number }): void;
  setNode(id: string, size: { width: number; height: number }): void;
  setEdge(from: string, to: string, label: object): void;
  /** With the place of its middle, once it was laid out. */
  node(id: string): { x: number; y: number; width: number; height: number };
  graph(): { width?: number; height?: number };
}
const newGraph = Graph as new () => LayeredGraph;
const layOut = layout as (graph: LayeredGraph) => void;

/** Above this many operations in one section dagre takes seconds, and goes deeper than the stack. */
const mostForDagre = 250;

/** Lays out operations of one section. `next` are the edges among them that say what led to what. */
export function layOutSection(
  own: readonly GraphNode[],
  next: readonly GraphEdge[],
  sizeOf: (id: string) => Size,
): LaidOut {
  // One alone needs no library.
  return own.length === 1 || own.length > mostForDagre ? inColumns(own, next, sizeOf) : byDagre(own, next, sizeOf);
}

function byDagre(own: readonly GraphNode[], next: readonly GraphEdge[], sizeOf: (id: string) => Size): LaidOut {
  const graph = new newGraph();
  graph.setGraph({ rankdir: 'LR', nodesep: gaps.row, ranksep: gaps.column });
  for (const { id } of own) graph.setNode(id, { ...sizeOf(id) });
  for (const { from, to } of next) graph.setEdge(from, to, {});
  layOut(graph);
  orderAlike(graph, own, next);
  const corners = own.map(({ id }) => {
    const { x, y, width, height } = graph.node(id);
    return [id, { x: x - width / 2, y: y - height / 2 }] as const;
  });
  const { width = 0, height = 0 } = graph.graph();
  return { corners: new Map(corners), width, height };
}

/** Those that follow the same and are followed by the same may change places: they stand in program order, from the top. */
function orderAlike(graph: LayeredGraph, own: readonly GraphNode[], next: readonly GraphEdge[]): void {
  const before = Map.groupBy(next, ({ to }) => to);
  const after = Map.groupBy(next, ({ from }) => from);
  const alike = Map.groupBy(own, ({ id }) => {
    const { x, width, height } = graph.node(id);
    const [earlier, later] = [before.get(id) ?? [], after.get(id) ?? []];
    return JSON.stringify([x, width, height, earlier.map(({ from }) => from), later.map(({ to }) => to)]);
  });
  for (const nodes of alike.values()) {
    const heights = nodes.map(({ id }) => graph.node(id).y).sort((a, b) => a - b);
    for (const [place, { id }] of nodes.entries()) graph.node(id).y = heights[place] ?? 0;
  }
}

/** Each operation one column behind the last that it follows, below those that are there already. */
function inColumns(own: readonly GraphNode[], next: readonly GraphEdge[], sizeOf: (id: string) => Size): LaidOut {
  const before = Map.groupBy(next, ({ to }) => to);
  const columns = new Map<string, number>();
  const widths: number[] = [];
  const heights: number[] = [];
  const tops = new Map<string, number>();
  for (const { id } of own) {
    const column = 1 + (before.get(id) ?? []).reduce((last, { from }) => Math.max(last, columns.get(from) ?? -1), -1);
    const { width, height } = sizeOf(id);
    columns.set(id, column);
    tops.set(id, heights[column] ?? 0);
    heights[column] = (heights[column] ?? 0) + height + gaps.row;
    widths[column] = Math.max(widths[column] ?? 0, width);
  }
  const lefts: number[] = [];
  let width = 0;
  for (const [column, one] of widths.entries()) {
    lefts[column] = width;
    width += one + gaps.column;
  }
  const corners = own.map(({ id }) => [id, { x: lefts[columns.get(id) ?? 0] ?? 0, y: tops.get(id) ?? 0 }] as const);
  return { corners: new Map(corners), width: width - gaps.column, height: Math.max(...heights) - gaps.row };
}
