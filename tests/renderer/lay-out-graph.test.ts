import { describe, expect, it } from 'vitest';
import type { RunGraph } from '../../runtime/contract/index.ts';
import { attemptWords } from '../../renderer/graph/attempt-words.ts';
import { layOutGraph, nodeSizes, type PlacedNode } from '../../renderer/graph/lay-out-graph.ts';
import { nodeWords } from '../../renderer/graph/node-words.ts';

type Node = RunGraph['nodes'][number];

function node(id: string, parent: string | null = null): Node {
  return {
    ...{ id: id as Node['id'], parent: parent as Node['parent'], kind: 'step', name: `step-${id}`, state: 'done' },
    ...{ begun: [1], reused: [], killed: [] },
  };
}
function edge(from: string, to: string, kind: 'next' | 'beside' = 'next'): RunGraph['edges'][number] {
  return { from: from as Node['id'], to: to as Node['id'], kind };
}
function byId(placed: readonly PlacedNode[]): (id: string) => PlacedNode {
  return (id) => {
    const found = placed.find((one) => one.node.id === id);
    if (found === undefined) throw new Error(`${id} was not placed`);
    return found;
  };
}

describe('layOutGraph', () => {
  it('goes from left to right, with what runs side by side below each other in program order', () => {
    const nodes = ['0', '1', '2', '3', '4'].map((id) => node(id));
    const fan = ['1', '2', '3'].flatMap((id) => [edge('0', id), edge(id, '4')]);
    const at = byId(layOutGraph({ nodes, edges: [...fan, edge('1', '2', 'beside'), edge('2', '3', 'beside')] }));
    expect(at('0').x + nodeSizes.width).toBeLessThan(at('1').x);
    expect(at('3').x + nodeSizes.width).toBeLessThan(at('4').x);
    expect([at('2').x, at('3').x]).toEqual([at('1').x, at('1').x]);
    expect(at('1').y + nodeSizes.head).toBeLessThan(at('2').y);
    expect(at('2').y + nodeSizes.head).toBeLessThan(at('3').y);
  });

  it('puts nested operations inside their parent, which comes before them and is as large as it must be', () => {
    const nodes = [node('0'), node('0.0', '0'), node('0.1', '0'), node('0.1.0', '0.1'), node('1')];
    const placed = layOutGraph({ nodes, edges: [edge('0', '1'), edge('0.0', '0.1')] });
    const at = byId(placed);
    const order = placed.map((one) => one.node.id);
    for (const { node: one, x, y, width, height } of placed) {
      if (one.parent === null) continue;
      const parent = at(one.parent);
      expect(order.indexOf(one.parent)).toBeLessThan(order.indexOf(one.id));
      expect([x >= 0, y >= nodeSizes.head, x + width <= parent.width, y + height <= parent.height]).toEqual(
        Array(4).fill(true),
      );
    }
    expect(at('0').x + at('0').width).toBeLessThan(at('1').x);
  });

  it('places a node whose parent was left out at the top', () => {
    expect(layOutGraph({ nodes: [node('7.0', '7')], edges: [] })).toHaveLength(1);
  });

  it('starts side by side what has nothing before it', () => {
    const nodes = ['0', '1', '2'].map((id) => node(id));
    const at = byId(layOutGraph({ nodes, edges: [edge('0', '1', 'beside'), edge('0', '2'), edge('1', '2')] }));
    expect(at('1').x).toBe(at('0').x);
    expect(at('0').x + nodeSizes.width).toBeLessThan(at('2').x);
  });

  const many = Array.from({ length: 2000 }, (_, place) => node(String(place)));

  it('places as long a chain as a graph can hold on one line', () => {
    const placed = layOutGraph({ nodes: many, edges: many.slice(1).map(({ id }, place) => edge(String(place), id)) });
    expect(new Set(placed.map(({ x }) => x)).size).toBe(2000);
    expect(new Set(placed.map(({ y }) => y)).size).toBe(1);
  });

  it('places as wide a fan as a graph can hold in one column between its ends', () => {
    const fan = many.slice(1, -1).flatMap(({ id }) => [edge('0', id), edge(id, '1999')]);
    const beside = many.slice(2, -1).map(({ id }, place) => edge(String(place + 1), id, 'beside'));
    const placed = layOutGraph({ nodes: many, edges: [...fan, ...beside] });
    expect(new Set(placed.map(({ x }) => x)).size).toBe(3);
    expect(new Set(placed.slice(1, -1).map(({ y }) => y)).size).toBe(1998);
  });
});

describe('what the graph says of an operation', () => {
  it('names attempts in ranges', () => {
    expect(attemptWords([2])).toBe('attempt 2');
    expect(attemptWords([3, 1, 2, 7])).toBe('attempts 1–3, 7');
    expect(attemptWords([1, 2])).toBe('attempts 1, 2');
  });

  it('says in words all that the drawing shows', () => {
    expect(nodeWords({ ...node('2'), state: 'uncertain', begun: [1, 2], reused: [3], killed: [2] })).toBe(
      'operation 2 step-2, step, uncertain; begun in attempts 1, 2; reused in attempt 3; killed in attempt 2',
    );
  });
});
