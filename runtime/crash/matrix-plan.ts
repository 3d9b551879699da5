import type { Operation, OperationDetail } from '../contract/index.ts';
import type { OperationId, OperationKind } from '../core/index.ts';
import { formatCrashPoint, type CrashAction, type OperationPhase, type RunPhase } from './crash-point.ts';

/** Who is killed at a point: the relay's process group, the host, or both at once. */
export const killTargets = ['relay', 'host', 'both'] as const;
export type KillTarget = (typeof killTargets)[number];

/** One kill of the matrix: the plans of the first attempt and of the one that recovers it. */
export interface MatrixCase {
  /** What repeats it: the points of its attempts, one after the other, divided by `, `. */
  readonly name: string;
  readonly plans: readonly (readonly string[])[];
}

type GoldenOperation = Pick<Operation, 'id' | 'kind'> & {
  /** Tries that failed in the run without a crash. */
  readonly failedTries: OperationDetail['tries']['length'];
};

const everyPhase: readonly OperationPhase[] = [
  'before-intent',
  'after-intent',
  'during',
  'before-checkpoint',
  'after-checkpoint',
];
/** Kinds whose body is code of the relay or work of a service; the others are done in one stroke. */
const withBody = new Set<OperationKind>(['step', 'agent', 'mcp', 'tool']);
const runPhase: readonly RunPhase[] = ['at-start', 'before-result', 'after-result'];

/**
 * Every point at which a run can be killed, told from its operations in a run without a crash: each phase of each
 * operation, between two tries where one failed, at its reuse in the attempt that recovers, and the phases of the run.
 */
export function planMatrix(golden: readonly GoldenOperation[], target: KillTarget): readonly MatrixCase[] {
  const action = actions[target];
  const atOperation = (id: OperationId, phase: OperationPhase): string =>
    formatCrashPoint({ on: 'operation', operation: { id }, phase, afterMs: null, action });
  const atRun = (phase: RunPhase): string => formatCrashPoint({ on: 'run', phase, afterMs: null, action });
  const atOperations = golden.flatMap(({ id, kind, failedTries }) => {
    const at = (phase: OperationPhase): string => atOperation(id, phase);
    return [
      ...everyPhase.filter((phase) => phase !== 'during' || withBody.has(kind)).map((phase) => oneKill(at(phase))),
      ...(failedTries > 0 ? [oneKill(at('between-tries'))] : []),
      matrixCase([[at('after-checkpoint')], [at('at-reuse')]]),
    ];
  });
  return [...atOperations, ...runPhase.map((phase) => oneKill(atRun(phase)))];
}

const oneKill = (point: string): MatrixCase => matrixCase([[point]]);

function matrixCase(plans: readonly (readonly string[])[]): MatrixCase {
  return { name: plans.flat().join(', '), plans };
}

const actions = {
  relay: { kind: 'signal', signal: 'SIGKILL' },
  host: { kind: 'host', relayToo: false },
  both: { kind: 'host', relayToo: true },
} as const satisfies Record<KillTarget, CrashAction>;

/** `count` cases, chosen by `seed` alone and in their order; all of them when there are no more. */
export function sampleCases<Case>(cases: readonly Case[], count: number, seed: number): readonly Case[] {
  const random = mulberry(seed);
  const keyed = cases.map((one, place) => ({ one, place, key: random() }));
  keyed.sort((a, b) => a.key - b.key);
  return keyed
    .slice(0, count)
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
}

/** Mulberry32: small, seeded, good enough to choose by. Numbers from 0 to 1. */
function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
