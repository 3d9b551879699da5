import { lazy, Suspense, useState } from 'react';
import type { EventType, RunGraph } from '../../runtime/contract/index.ts';
import { Button } from '../design/button.tsx';
import { operationMarks } from '../design/marks.ts';
import { Empty, ErrorView, Loading } from '../design/states.tsx';
import { nodeWords } from '../graph/node-words.ts';
import { useLiveAnswer } from '../store/live-answer.ts';
import { select, useView } from '../store/view-store.ts';

const GraphFlow = lazy(async () => ({ default: (await import('./graph-flow.tsx')).GraphFlow }));

const turns: ReadonlySet<EventType> = new Set([
  ...(['operation.intended', 'operation.checkpointed', 'operation.reused', 'operation.decided'] as const),
  ...(['crash-point.fired', 'attempt.ended', 'run.moved'] as const),
]);
const restMs = 400;

/** What happened in the run as a graph, or as a list that says the same. */
export function GraphTab({ run }: { readonly run: string }) {
  const { answer: graph, error, retry } = useLiveAnswer('run/graph', { run }, turns, restMs);
  const [isList, setIsList] = useState(false);
  if (graph === null) return error === null ? <Loading what="the graph" /> : <ErrorView error={error} retry={retry} />;
  if (graph.nodes.length === 0) {
    return (
      <Empty title="No operation has begun">
        <p>Each operation of the run appears here as soon as its intent is recorded.</p>
      </Empty>
    );
  }
  return (
    <section aria-label="Graph" className="flex h-full flex-col">
      <header className="flex items-center gap-4 border-b border-line bg-panel px-3 py-1.5 text-xs text-quiet">
        <Legend />
        <Button className="ml-auto" aria-pressed={isList} onClick={() => setIsList(!isList)}>
          {isList ? 'Show as a graph' : 'Show as a list'}
        </Button>
      </header>
      {error !== null && <ErrorView error={error} retry={retry} />}
      <div className="min-h-0 flex-1">
        {isList ? (
          <GraphList graph={graph} />
        ) : (
          <Suspense fallback={<Loading what="the graph's drawing" />}>
            <GraphFlow graph={graph} />
          </Suspense>
        )}
      </div>
    </section>
  );
}

const legend = ['done', 'reused', 'failed', 'open', 'uncertain'] as const;

function Legend() {
  return (
    <ul aria-label="Signs" className="flex flex-wrap gap-x-4 gap-y-1">
      {legend.map((state) => (
        <li key={state} className={operationMarks[state].colour}>
          <span aria-hidden="true">{operationMarks[state].sign}</span> {operationMarks[state].words}
        </li>
      ))}
      <li className="text-kill">
        <span aria-hidden="true">⚡</span> killed at it
      </li>
      <li>
        <span aria-hidden="true">⟶</span> next
      </li>
      <li>
        <span aria-hidden="true">┄</span> beside
      </li>
    </ul>
  );
}

function GraphList({ graph }: { readonly graph: RunGraph }) {
  const selected = useView(({ operation }) => operation);
  const before = Map.groupBy(graph.edges, ({ to }) => to);
  return (
    <ol aria-label="Operations of the graph" className="h-full overflow-auto p-3 text-[13px]">
      {graph.nodes.map((node) => {
        const edges = (before.get(node.id) ?? []).map(
          ({ from, kind }) => `${kind === 'next' ? 'after' : 'beside'} ${from}`,
        );
        return (
          <li key={node.id} style={{ paddingLeft: (node.id.split('.').length - 1) * 20 }}>
            <button
              type="button"
              aria-pressed={node.id === selected}
              onClick={() => select(node.id)}
              className={`w-full rounded px-2 py-1 text-left hover:bg-raised ${node.id === selected ? 'bg-raised' : ''}`}
            >
              <span aria-hidden="true" className={`mr-2 ${operationMarks[node.state].colour}`}>
                {operationMarks[node.state].sign}
              </span>
              {[nodeWords(node), ...edges].join('; ')}
            </button>
          </li>
        );
      })}
      {graph.left > 0 && <li className="px-2 py-1 text-quiet">{graph.left} more operations are left out.</li>}
    </ol>
  );
}
