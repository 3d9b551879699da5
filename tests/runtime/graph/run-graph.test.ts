import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { childId, parentId, type EndCause, type OperationId } from '../../../runtime/core/index.ts';
import { runGraph, type GraphEvent, type GraphOperation } from '../../../runtime/graph/index.ts';

const crash: EndCause = { kind: 'crash-point', point: 'x@during', signal: 'SIGKILL' };
const finished: EndCause = { kind: 'finished' };
const id = (text: string): OperationId => text as OperationId;

interface Played {
  readonly operations: GraphOperation[];
  readonly events: GraphEvent[];
  readonly attempts: { number: number; cause: EndCause | null }[];
  /** What the program did, kept apart from the events: `begun 2@1` for operation 2 in attempt 1. */
  readonly facts: Set<string>;
}

/**
 * Plays a program of blocks, each of so many operations that are begun together, and lets its process die after so many
 * events of each attempt but the last. `backwards`: a block's operations end in the other order.
 */
function play(widths: readonly number[], deaths: readonly number[], backwards: boolean): Played {
  const events: GraphEvent[] = [];
  const facts = new Set<string>();
  const begun: OperationId[] = [];
  const done = new Set<OperationId>();
  const attempts: Played['attempts'] = [];
  for (const [index, death] of [...deaths, Infinity].entries()) {
    const attempt = index + 1;
    let left = death;
    const open = new Set<OperationId>();
    const tell = (what: GraphEvent['what'], operation: OperationId): boolean => {
      if (left <= 0) return false;
      left -= 1;
      events.push({ sequence: events.length + 1, what, operation, attempt });
      facts.add(`${what} ${operation}@${attempt}`);
      if (what === 'begun') open.add(operation);
      if (what === 'done') open.delete(operation);
      return true;
    };
    const lives = (): boolean => {
      let next = 0;
      for (const width of widths) {
        const block = Array.from({ length: width }, () => childId(null, next++));
        const fresh = block.filter((one) => !done.has(one));
        for (const one of block) {
          if (!tell(done.has(one) ? 'reused' : 'begun', one)) return false;
          if (!done.has(one) && !begun.includes(one)) begun.push(one);
        }
        for (const one of backwards ? fresh.toReversed() : fresh) {
          if (!tell('done', one)) return false;
          done.add(one);
        }
      }
      return true;
    };
    const ended = lives();
    attempts.push({ number: attempt, cause: ended ? finished : crash });
    for (const one of open) facts.add(`killed ${one}@${attempt}`);
    if (ended) break;
  }
  const operations = begun
    .sort((a, b) => Number(a) - Number(b))
    .map((one): GraphOperation => ({
      ...{ id: one, kind: 'step', name: `step ${one}`, uncertain: false },
      ok: done.has(one) ? true : null,
    }));
  return { operations, events, attempts, facts };
}

const programs = fc.tuple(
  fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 }),
  fc.array(fc.nat(20), { maxLength: 3 }),
  fc.boolean(),
);

describe('the graph of a run', () => {
  it('tells of each operation what the attempts did with it', () => {
    fc.assert(
      fc.property(programs, (program) => {
        const played = play(...program);
        const { nodes, left } = runGraph(played);
        expect(nodes.map((node) => node.id)).toEqual(played.operations.map((one) => one.id));
        expect(left).toBe(0);
        const told = nodes.flatMap((node) => [
          ...node.begun.map((attempt) => `begun ${node.id}@${attempt}`),
          ...node.reused.map((attempt) => `reused ${node.id}@${attempt}`),
          ...node.killed.map((attempt) => `killed ${node.id}@${attempt}`),
        ]);
        expect(told.sort()).toEqual([...played.facts].filter((fact) => !fact.startsWith('done')).sort());
        const latest = played.attempts.length;
        for (const node of nodes) expect(node.state).toBe(node.reused.includes(latest) ? 'reused' : 'done');
      }),
    );
  });

  it('goes forward in program order, leaves nothing loose, and grows with the run, not faster', () => {
    fc.assert(
      fc.property(programs, (program) => {
        const { nodes, edges } = runGraph(play(...program));
        const place = new Map(nodes.map((node, index) => [node.id, index]));
        for (const { from, to } of edges) expect(place.get(from)).toBeLessThan(place.get(to) ?? -1);
        for (const node of nodes.slice(1)) expect(edges.some(({ to }) => to === node.id)).toBe(true);
        expect(edges.filter(({ kind }) => kind === 'next').length).toBeLessThanOrEqual(2 * nodes.length);
        expect(new Set(edges.map(({ from, to }) => `${from} ${to}`)).size).toBe(edges.length);
      }),
    );
  });

  it('is a chain where each operation is done before the next begins, however often the process died', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.array(fc.nat(30), { maxLength: 3 }), (length, deaths) => {
        const { nodes, edges } = runGraph(play(Array<number>(length).fill(1), deaths, false));
        expect(edges).toEqual(
          nodes.slice(1).map((node, index) => ({ from: nodes[index]?.id, to: node.id, kind: 'next' })),
        );
      }),
    );
  });

  it('fans out and joins where operations were begun together', () => {
    const { edges } = runGraph(play([1, 3, 1], [], true));
    expect(edges.map(({ from, to, kind }) => `${from} ${kind} ${to}`)).toEqual([
      ...['0 next 1', '0 next 2', '1 beside 2', '0 next 3', '2 beside 3'],
      ...['1 next 4', '2 next 4', '3 next 4'],
    ]);
  });

  it('of the beginning of a run is the beginning of its graph, and says what is left out', () => {
    fc.assert(
      fc.property(programs, fc.nat(12), (program, most) => {
        const played = play(...program);
        const whole = runGraph(played);
        const part = runGraph(played, most);
        expect(part.nodes).toEqual(whole.nodes.slice(0, most));
        expect(part.nodes.length + part.left).toBe(whole.nodes.length);
        const kept = new Set(part.nodes.map((node) => node.id));
        expect(part.edges).toEqual(whole.edges.filter(({ to }) => kept.has(to)));
      }),
    );
  });

  it('holds at most 2,000 operations', () => {
    const { nodes, edges, left } = runGraph(play(Array<number>(2300).fill(1), [], false));
    expect([nodes.length, edges.length, left]).toEqual([2000, 1999, 300]);
  });

  it('keeps nested operations with their own, and knows what failed, is open and is uncertain', () => {
    const step = (text: string, ok: boolean | null, uncertain = false): GraphOperation => ({
      ...{ id: id(text), kind: 'step', name: text, uncertain, ok },
    });
    const told: [GraphEvent['what'], string, number | null][] = [
      ['begun', '0', 1],
      ['begun', '0.0', 1],
      ['done', '0.0', 1],
      ['begun', '0.1', 1],
      ['done', '0.1', 1],
      ['done', '0', 1],
      ['begun', '1', 1],
      ['done', '1', null],
      ['begun', '2', 2],
    ];
    const events = told.map(([what, operation, attempt], index) => ({
      ...{ sequence: index + 1, what, operation: id(operation), attempt },
    }));
    const operations = [step('0', false), step('0.0', true), step('0.1', true), step('1', true), step('2', null)];
    const story = {
      operations,
      events: [...events, { sequence: 10, what: 'hit' as const, operation: id('3'), attempt: 2 }],
      attempts: [
        { number: 1, cause: crash },
        { number: 2, cause: null },
      ],
    };
    const { nodes, edges } = runGraph(story);
    expect(nodes.map(({ state, parent, killed }) => [state, parent, killed])).toEqual([
      ['failed', null, []],
      ['done', '0', []],
      ['done', '0', []],
      // A person decided what attempt 1 had left open.
      ['done', null, [1]],
      ['open', null, []],
    ]);
    for (const { from, to } of edges) expect(parentId(from)).toBe(parentId(to));
    expect(edges.map(({ from, to }) => `${from} ${to}`).sort()).toEqual(['0 1', '0.0 0.1', '1 2']);
    const gone = runGraph({
      ...story,
      operations: [...operations.slice(0, 4), step('2', null, true), step('3', null)],
      attempts: story.attempts.map((one) => ({ ...one, cause: crash })),
    });
    expect(gone.nodes.slice(4).map(({ state, killed }) => [state, killed])).toEqual([
      ['uncertain', [2]],
      ['open', [2]],
    ]);
  });

  it('of a fork begins with what it took over, in order', () => {
    const taken = [0, 1, 2].map((n): GraphOperation => ({
      ...{ id: childId(null, n), kind: 'step', name: 'taken', uncertain: false, ok: true },
    }));
    const events = taken.slice(0, 2).map((one, index) => ({
      ...{ sequence: index + 1, what: 'reused' as const, operation: one.id, attempt: 1 },
    }));
    const { nodes, edges } = runGraph({ operations: taken, events, attempts: [{ number: 1, cause: null }] });
    expect(nodes.map(({ state, begun }) => [state, begun])).toEqual([
      ['reused', []],
      ['reused', []],
      ['done', []],
    ]);
    expect(edges.map(({ from, to, kind }) => `${from} ${kind} ${to}`)).toEqual(['0 next 1', '1 next 2']);
  });
});

describe('a tool of an agent with a journal', () => {
  const told = (...events: [GraphEvent['what'], number][]): GraphEvent[] =>
    events.map(([what, attempt], index) => ({ sequence: index + 1, what, operation: id('0.0'), attempt }));
  const operations: GraphOperation[] = [{ id: id('0.0'), kind: 'tool', name: 'pay', uncertain: false, ok: true }];

  it('that its callback settled in a later attempt was killed in the one that left it', () => {
    const events = told(['begun', 1], ['done', 2], ['reused', 2]);
    const attempts = [
      { number: 1, cause: crash },
      { number: 2, cause: crash },
    ];
    expect(runGraph({ operations, events, attempts }).nodes[0]).toMatchObject({
      ...{ state: 'reused', begun: [1], reused: [2], killed: [1] },
    });
  });

  it('that ran and was reused in the last attempt is done, not reused', () => {
    const events = told(['begun', 1], ['done', 1], ['reused', 1]);
    const { nodes } = runGraph({ operations, events, attempts: [{ number: 1, cause: finished }] });
    expect(nodes[0]).toMatchObject({ state: 'done', begun: [1], reused: [1], killed: [] });
  });
});
