import type { Attempt, RunGraph } from '../contract/index.ts';
import { parentId, type OperationId } from '../core/index.ts';
import { operationStories, type OperationStory } from './operation-story.ts';
import type { GraphEvent, GraphOperation } from './run-facts.ts';
import { siblingEdges, type Sibling } from './sibling-edges.ts';

type Node = RunGraph['nodes'][number];

/** Most nodes of one graph: more is no picture any more. */
const mostNodes = 2000;

export interface RunStory {
  /** All of the run, in program order. */
  readonly operations: readonly GraphOperation[];
  /** All of the run, in order. */
  readonly events: readonly GraphEvent[];
  readonly attempts: readonly Pick<Attempt, 'number' | 'cause'>[];
}

/** A run as a graph of its first `most` operations in program order. The same facts give the same graph. */
export function runGraph({ operations, events, attempts }: RunStory, most = mostNodes): RunGraph {
  const stories = operationStories(events, attempts);
  const latest = attempts.at(-1)?.number ?? 0;
  const shown = operations.slice(0, most);
  const groups = new Map<OperationId | null, Sibling[]>();
  for (const [place, { id }] of shown.entries()) {
    const parent = parentId(id);
    const group = groups.get(parent) ?? [];
    group.push({ id, ...momentsOf(stories.get(id), place - shown.length) });
    groups.set(parent, group);
  }
  return {
    nodes: shown.map((operation) => nodeOf(operation, stories.get(operation.id), latest)),
    edges: [...groups.values()].flatMap(siblingEdges),
    left: operations.length - shown.length,
  };
}

/** What a fork took over was there before anything of this run, one after the other: `place` is below zero. */
function momentsOf(story: OperationStory | undefined, place: number): Pick<Sibling, 'begun' | 'done'> {
  if (story === undefined || story.begunAt === null) return { begun: place, done: place };
  return { begun: story.begunAt, done: story.doneAt ?? Infinity };
}

function nodeOf(operation: GraphOperation, story: OperationStory | undefined, latest: number): Node {
  const { id, kind, name } = operation;
  const reused = sorted(story?.reused);
  return {
    ...{ id, kind, name, parent: parentId(id) },
    state: stateOf(operation, reused.includes(latest) && story?.begun.has(latest) !== true),
    begun: sorted(story?.begun),
    reused,
    killed: sorted(story?.killed),
  };
}

function stateOf({ ok, uncertain }: GraphOperation, isReused: boolean): Node['state'] {
  if (ok === null) return uncertain ? 'uncertain' : 'open';
  if (!ok) return 'failed';
  return isReused ? 'reused' : 'done';
}

function sorted(attempts: ReadonlySet<number> | undefined): number[] {
  return [...(attempts ?? [])].sort((a, b) => a - b);
}
