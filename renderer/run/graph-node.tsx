import { Handle, Position, type Node, type NodeProps } from '@xyflow/react';
import { operationMarks } from '../design/marks.ts';
import { attemptWords } from '../graph/attempt-words.ts';
import type { GraphNode } from '../graph/lay-out-graph.ts';

export type OperationNode = Node<{ readonly node: GraphNode; readonly holdsOthers: boolean }, 'operation'>;

/** One operation of the run graph: what it is, what became of it, and in which attempts. */
export function OperationNodeView({ data, selected }: NodeProps<OperationNode>) {
  const { id, name, kind, state, begun, reused, killed } = data.node;
  const { sign, colour, fill, words } = operationMarks[state];
  // Reused ones are hollow and open ones dashed, as on the timeline.
  const border = state === 'open' || state === 'uncertain' ? 'border-dashed' : '';
  return (
    <div
      className={`h-full w-full rounded-md border-[1.5px] px-2.5 py-1.5 text-left ${border} ${data.holdsOthers ? 'bg-raised/60' : 'bg-panel'} ${selected ? 'ring-2 ring-accent' : ''}`}
      style={{ borderColor: fill }}
    >
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <p className="flex items-center gap-1.5 text-xs">
        <span aria-hidden="true" className={`w-3 text-center ${colour}`}>
          {sign}
        </span>
        <span className="font-mono text-quiet">{id}</span>
        <span className="truncate font-medium">{name}</span>
        <span className="ml-auto text-[11px] text-quiet">{kind}</span>
      </p>
      <p className={`truncate pl-[18px] text-[11px] ${colour}`}>{words}</p>
      <p className="flex gap-2 pl-[18px] text-[11px] text-quiet">
        <span className="truncate">
          {[begun.length > 0 ? `begun in ${short(begun)}` : '', reused.length > 0 ? `reused in ${short(reused)}` : '']
            .filter(Boolean)
            .join(' · ')}
        </span>
        {killed.length > 0 && (
          <span className="ml-auto shrink-0 font-medium text-kill" title={`killed in ${attemptWords(killed)}`}>
            ⚡ {short(killed)}
          </span>
        )}
      </p>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
}

const short = (attempts: readonly number[]): string => attemptWords(attempts).replace(/^attempts? /, '');
