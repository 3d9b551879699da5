import type { RunGraph } from '../../runtime/contract/index.ts';

type GraphNode = RunGraph['nodes'][number];
type GraphEdge = RunGraph['edges'][number];

/**
 * Siblings in program order, cut wherever the whole flow goes through one operation: a program that does one thing after
 * the other becomes as many sections as it has operations, a fan stays together. So a layout that is slow for long chains
 * never sees one. Operations that ran beside each other are never cut apart.
 */
export function sections(siblings: readonly GraphNode[], edges: readonly GraphEdge[]): GraphNode[][] {
  const places = new Map<string, number>(siblings.map(({ id }, place) => [id, place]));
  const beginning = Map.groupBy(
    edges.filter(({ from, to }) => (places.get(from) ?? Infinity) < (places.get(to) ?? -1)),
    ({ from }) => from,
  );
  const cut: GraphNode[][] = [];
  /** Edges that lead from what is before this place to it or to what is behind it. */
  let crossing: GraphEdge[] = [];
  for (const [place, node] of siblings.entries()) {
    const before = siblings[place - 1];
    if (before !== undefined) crossing.push(...(beginning.get(before.id) ?? []));
    crossing = crossing.filter(({ to }) => (places.get(to) ?? -1) >= place);
    const [first] = crossing;
    const isCut =
      first === undefined ||
      (crossing.every(({ kind }) => kind === 'next') &&
        (crossing.every(({ from }) => from === first.from) || crossing.every(({ to }) => to === first.to)));
    const last = cut.at(-1);
    if (last === undefined || isCut) cut.push([node]);
    else last.push(node);
  }
  return cut;
}
