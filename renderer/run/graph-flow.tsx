import {
  Background,
  Controls,
  MarkerType,
  MiniMap,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  type Edge,
  type NodeChange,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useEffect, useMemo } from 'react';
import type { RunGraph } from '../../runtime/contract/index.ts';
import { operationMarks } from '../design/marks.ts';
import { useMedia } from '../design/media.ts';
import { layOutGraph } from '../graph/lay-out-graph.ts';
import { nodeWords } from '../graph/node-words.ts';
import { select, useView } from '../store/view-store.ts';
import { OperationNodeView, type OperationNode } from './graph-node.tsx';
import './graph-flow.css';

const arrow = { type: MarkerType.ArrowClosed, color: 'var(--quiet)', width: 16, height: 16 } as const;
const nodeTypes = { operation: OperationNodeView };
const fit = { padding: 0.12, minZoom: 0.35, maxZoom: 1 } as const;
/** Up to this many the whole graph is in view anyway. */
const fewNodes = 6;
const overviewSize = { width: 168, height: 96 } as const;

/** The run's graph as React Flow draws it. What is selected here is what the inspector shows. */
export function GraphFlow({ graph }: { readonly graph: RunGraph }) {
  return (
    <ReactFlowProvider>
      <Flow graph={graph} />
    </ReactFlowProvider>
  );
}

function Flow({ graph }: { readonly graph: RunGraph }) {
  const selected = useView(({ operation }) => operation);
  const isStill = useMedia('(prefers-reduced-motion: reduce)');
  const flow = useReactFlow<OperationNode>();
  // A new state moves nothing: places follow from which operations there are and what led to what.
  const shape = JSON.stringify({
    nodes: graph.nodes.map((node) => ({ ...node, state: 'open', begun: [], reused: [], killed: [] })),
    edges: graph.edges,
  });
  const placed = useMemo(() => layOutGraph(JSON.parse(shape) as Pick<RunGraph, 'nodes' | 'edges'>), [shape]);
  const byId = useMemo(() => new Map(graph.nodes.map((node) => [node.id, node])), [graph.nodes]);
  const nodes = useMemo(() => {
    const parents = new Set(placed.map(({ node }) => node.parent));
    return placed.map(({ node: known, x, y, width, height }): OperationNode => {
      const node = byId.get(known.id) ?? known;
      return {
        ...{ id: node.id, type: 'operation', position: { x, y }, width, height, selected: node.id === selected },
        ...(node.parent !== null && byId.has(node.parent) ? { parentId: node.parent } : {}),
        data: { node, holdsOthers: parents.has(node.id) },
        ariaLabel: nodeWords(node),
      };
    });
  }, [placed, byId, selected]);
  const edges = useMemo(
    () =>
      graph.edges.map(({ from, to, kind }): Edge => ({
        ...{ id: `${from} ${kind} ${to}`, source: from, target: to, className: `edge-${kind}` },
        ...(kind === 'beside' ? { type: 'straight' } : { markerEnd: arrow }),
        ariaLabel: kind === 'next' ? `${from}, then ${to}` : `${to} beside ${from}`,
      })),
    [graph.edges],
  );

  // Once for what is there at first; later the person has the view.
  const hasNodes = nodes.length > 0;
  useEffect(() => {
    if (hasNodes) void flow.fitView(fit);
  }, [flow, hasNodes]);

  const onNodesChange = (changes: NodeChange<OperationNode>[]): void => {
    for (const change of changes) if (change.type === 'select' && change.selected) select(change.id);
  };
  return (
    <ReactFlow
      {...{ nodes, edges, nodeTypes, onNodesChange }}
      nodesDraggable={false}
      nodesConnectable={false}
      edgesFocusable={false}
      onlyRenderVisibleElements={nodes.length > 200}
      deleteKeyCode={null}
      selectionKeyCode={null}
      multiSelectionKeyCode={null}
      minZoom={0.05}
      maxZoom={2}
      fitViewOptions={fit}
      aria-label="Graph of what happened"
    >
      <Background gap={24} color="var(--line)" />
      <Controls showInteractive={false} fitViewOptions={{ ...fit, minZoom: 0.05, duration: isStill ? 0 : 200 }} />
      {nodes.length > fewNodes && (
        <MiniMap<OperationNode>
          pannable
          zoomable
          style={overviewSize}
          nodeColor={({ data }) => operationMarks[data.node.state].fill}
          nodeBorderRadius={4}
          bgColor="var(--panel)"
          maskColor="color-mix(in srgb, var(--page) 70%, transparent)"
          ariaLabel="Overview of the graph"
        />
      )}
      {graph.left > 0 && (
        <Panel position="top-right">
          <p className="rounded border border-line bg-panel px-2 py-1 text-xs">
            {graph.left} more operations are left out: the graph holds the first {graph.nodes.length}.
          </p>
        </Panel>
      )}
    </ReactFlow>
  );
}
