import type { Attempt } from '../contract/index.ts';
import type { OperationId } from '../core/index.ts';
import type { GraphEvent } from './run-facts.ts';

/** What happened to one operation over all attempts. Moments are sequence numbers of events. */
export interface OperationStory {
  /** When its body was begun first; null when no event says so: a fork took it over. */
  begunAt: number | null;
  doneAt: number | null;
  readonly begun: Set<number>;
  readonly reused: Set<number>;
  readonly killed: Set<number>;
}

/** Reads the events of a run, in order, into a story for each operation that they name. */
export function operationStories(
  events: Iterable<GraphEvent>,
  attempts: readonly Pick<Attempt, 'number' | 'cause'>[],
): ReadonlyMap<OperationId, OperationStory> {
  const killers = new Set(
    attempts.filter(({ cause }) => cause !== null && cause.kind !== 'finished').map(({ number }) => number),
  );
  const stories = new Map<OperationId, OperationStory>();
  /** The attempt in which each is open. */
  const open = new Map<OperationId, number>();
  const storyOf = (id: OperationId): OperationStory => {
    const known = stories.get(id);
    if (known !== undefined) return known;
    const story = {
      begunAt: null,
      doneAt: null,
      begun: new Set<number>(),
      reused: new Set<number>(),
      killed: new Set<number>(),
    };
    stories.set(id, story);
    return story;
  };
  const close = (id: OperationId): void => {
    const attempt = open.get(id);
    if (attempt !== undefined && killers.has(attempt)) storyOf(id).killed.add(attempt);
    open.delete(id);
  };

  for (const { what, operation, attempt, sequence } of events) {
    const story = storyOf(operation);
    if (what === 'begun') {
      close(operation);
      story.begunAt ??= sequence;
    } else if (what === 'done') {
      // A decision, or what a tool's callback found out, comes after the attempt that left it open; else it comes in it.
      if (attempt !== open.get(operation)) close(operation);
      open.delete(operation);
      story.doneAt = sequence;
    }
    if (attempt === null) continue;
    if (what === 'begun') {
      story.begun.add(attempt);
      open.set(operation, attempt);
    } else if (what === 'reused') story.reused.add(attempt);
    else if (what === 'hit' && killers.has(attempt)) story.killed.add(attempt);
  }
  for (const id of [...open.keys()]) close(id);
  return stories;
}
