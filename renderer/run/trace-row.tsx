import { clockTime, duration } from '../design/words.ts';
import { barOf, type TraceRow } from '../trace/trace-rows.ts';
import type { TraceNode } from '../trace/trace-tree.ts';

/** Columns: name, detail, begun, duration, bar. */
export const traceColumns = 'minmax(200px,1.4fr) minmax(120px,1.6fr) 96px 80px minmax(90px,1fr)';

const looks: Readonly<Record<TraceNode['look'], { text: string; fill: string }>> = {
  done: { text: 'text-done', fill: 'bg-done' },
  reused: { text: 'text-reused', fill: 'bg-reused' },
  failed: { text: 'text-failed', fill: 'bg-failed' },
  open: { text: 'text-open', fill: 'bg-open' },
  kill: { text: 'text-kill', fill: 'bg-kill' },
  quiet: { text: 'text-quiet', fill: 'bg-quiet' },
};
const signs: Readonly<Record<TraceNode['look'], string>> = {
  ...{ done: '◆', reused: '◇', failed: '✕', open: '▷', kill: '⚡', quiet: '✓' },
};

interface TraceRowViewProps {
  readonly row: TraceRow;
  readonly place: number;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly now: number;
  readonly style: React.CSSProperties;
  onPress(this: void, place: number): void;
  onToggle(this: void, key: string): void;
}

/** One line of the trace. */
export function TraceRowView({ row, place, isActive, isSelected, now, style, onPress, onToggle }: TraceRowViewProps) {
  const { node, level, isExpanded, position, siblings } = row;
  const { text, fill } = looks[node.look];
  const { left, width } = barOf(row, now);
  const isMoment = node.to === node.from;
  return (
    <div
      role="row"
      id={`trace-row-${place}`}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-rowindex={place + 2}
      aria-selected={isSelected}
      {...(node.children.length > 0 ? { 'aria-expanded': isExpanded } : {})}
      className={`absolute inset-x-0 grid cursor-default items-center gap-3 px-3 text-xs ${isSelected ? 'bg-accent/15' : 'hover:bg-raised'} ${isActive ? '-outline-offset-2 outline-accent group-focus-visible:outline-2' : ''}`}
      style={{ ...style, gridTemplateColumns: traceColumns }}
      onClick={() => onPress(place)}
    >
      <span role="gridcell" className="flex min-w-0 items-center gap-1.5" style={{ paddingLeft: (level - 1) * 16 }}>
        <span
          aria-hidden="true"
          className="w-4 shrink-0 cursor-pointer text-center text-quiet select-none"
          onClick={(event) => {
            if (node.children.length === 0) return;
            event.stopPropagation();
            onToggle(node.key);
          }}
        >
          {node.children.length === 0 ? '' : isExpanded ? '▾' : '▸'}
        </span>
        <span aria-hidden="true" className={`w-3 shrink-0 text-center ${text}`}>
          {signs[node.look]}
        </span>
        <span
          className={`truncate ${node.kind === 'attempt' ? 'font-semibold' : node.kind === 'operation' ? '' : 'text-quiet'}`}
        >
          {node.name}
        </span>
      </span>
      <span
        role="gridcell"
        className={`truncate ${node.look === 'failed' || node.look === 'kill' ? text : 'text-quiet'}`}
        title={node.detail}
      >
        {node.detail}
      </span>
      <span role="gridcell" className="font-mono text-[11px] text-quiet tabular-nums">
        {clockTime(node.from)}
      </span>
      <span role="gridcell" className="text-right font-mono text-[11px] tabular-nums">
        {isMoment ? '' : node.to === null ? '…' : duration(node.to - node.from)}
      </span>
      <span role="gridcell" className="relative h-full">
        {level === 1 && node.kind !== 'attempt' ? null : (
          <span
            aria-hidden="true"
            className={`absolute top-1/2 h-2 -translate-y-1/2 rounded-xs ${isMoment ? 'w-0.5' : 'min-w-0.5'} ${fill} ${node.kind === 'attempt' ? 'opacity-40' : ''}`}
            style={{ left: `${left * 100}%`, ...(isMoment ? {} : { width: `${width * 100}%` }) }}
          />
        )}
      </span>
    </div>
  );
}
