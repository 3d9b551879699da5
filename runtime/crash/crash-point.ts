import { LabError, limits, parseOperationId, type OperationId } from '../core/index.ts';

/** Phases of an operation at which its process can be ended, each with what is on disk then (DESIGN.md section 5). */
export const operationPhases = {
  'before-intent': 'the relay asked for the operation; nothing of it is recorded',
  'after-intent': 'the intent is durable; the body has not begun',
  during: 'the intent is durable; the body is at work, or has done its work and not said so',
  'between-tries': 'one try failed and is recorded; the next has not begun',
  'before-checkpoint': 'the body is done; its result is not recorded',
  'after-checkpoint': 'the result is durable; the relay does not know it yet',
  'at-reuse': 'a later attempt was just answered from the checkpoint',
} as const;
export type OperationPhase = keyof typeof operationPhases;

/** Phases of a run's attempt. */
export const runPhases = {
  'at-start': 'the process stands; none of the relay’s code has run',
  during: 'the given time after the relay’s code was started',
  'before-result': 'the relay returned; its result is not recorded',
  'after-result': 'the result is durable; the process has not ended yet',
} as const;
export type RunPhase = keyof typeof runPhases;

/**
 * What is done: a signal to the process group, `exit:CODE` by the process itself, or SIGKILL for the `host` alone or for
 * `both`. SIGKILL to the group unless said otherwise.
 */
export const crashSignals = ['SIGKILL', 'SIGTERM', 'SIGSTOP'] as const;
/** What a point can do to a relay, each as it is written after its `=`. Of exit codes, one stands for all. */
export const crashActions = [...crashSignals, 'exit:1'] as const;
export type CrashAction =
  | { readonly kind: 'signal'; readonly signal: (typeof crashSignals)[number] }
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'host'; readonly relayToo: boolean };

export type CrashPoint =
  | {
      readonly on: 'operation';
      /** By name and occurrence (from 1, in program order), or by id. */
      readonly operation: { readonly name: string; readonly occurrence: number } | { readonly id: OperationId };
      readonly phase: OperationPhase;
      /** Milliseconds, with `during`; null there means: once a lab service has done its work, else at the body's end. */
      readonly afterMs: number | null;
      readonly action: CrashAction;
    }
  | { readonly on: 'run'; readonly phase: RunPhase; readonly afterMs: number | null; readonly action: CrashAction };

const grammar = 'OPERATION[#N]@PHASE[+MS][=ACTION]';
const shape =
  /^(?<operation>.+?)(?:#(?<occurrence>\d+))?@(?<phase>[a-z-]+)(?:\+(?<after>\d+))?(?:=(?<action>[A-Za-z0-9:]+))?$/;

/**
 * Parses `OPERATION[#N]@PHASE[+MS][=ACTION]`. OPERATION is a name, an id (`3`, `3.0`), or `run` with a phase of the
 * run. Throws `invalid-input` naming the part that is wrong.
 */
export function parseCrashPoint(text: string): CrashPoint {
  const parts = shape.exec(text)?.groups;
  if (parts === undefined) {
    throw wrong(text, `expected ${grammar}`, 'For example reserve@after-checkpoint, or create-order#2@during+50.');
  }
  const { operation = '', occurrence, phase = '', after, action } = parts;
  const afterMs = after === undefined ? null : Number(after);
  if (afterMs !== null && afterMs > limits.runMs) {
    throw wrong(text, `+${after ?? ''} is over ${limits.runMs} milliseconds, the longest that a run may take`, '');
  }
  const parsed = parseAction(text, action);
  if (operation === 'run' && phase in runPhases) {
    if (phase === 'during' && afterMs === null) throw wrong(text, 'a run@during needs a time', 'Write run@during+500.');
    if (phase !== 'during' && afterMs !== null) throw wrong(text, 'only the phase during takes +MS', '');
    return { on: 'run', phase: phase as RunPhase, afterMs, action: parsed };
  }
  if (!(phase in operationPhases)) {
    const known = Object.keys(operation === 'run' ? runPhases : operationPhases).join(', ');
    throw wrong(text, `the phase ${JSON.stringify(phase)} is none of ${known}`, '');
  }
  if (afterMs !== null && phase !== 'during') throw wrong(text, 'only the phase during takes +MS', '');
  if (occurrence === '0') throw wrong(text, 'occurrences count from 1', '');
  const id = parseOperationId(operation);
  return {
    on: 'operation',
    operation: id === null ? { name: operation, occurrence: Number(occurrence ?? 1) } : { id },
    phase: phase as OperationPhase,
    afterMs,
    action: parsed,
  };
}

function parseAction(text: string, action: string | undefined): CrashAction {
  if (action === undefined) return { kind: 'signal', signal: 'SIGKILL' };
  const signal = crashSignals.find((known) => known === action);
  if (signal !== undefined) return { kind: 'signal', signal };
  if (action === 'host' || action === 'both') return { kind: 'host', relayToo: action === 'both' };
  const code = /^exit:(\d{1,3})$/.exec(action)?.[1];
  if (code !== undefined && Number(code) <= 255) return { kind: 'exit', code: Number(code) };
  throw wrong(
    text,
    `the action ${JSON.stringify(action)} is none of ${crashSignals.join(', ')}, exit:0 to exit:255, host, both`,
    '',
  );
}

function wrong(text: string, what: string, next: string): LabError {
  return new LabError('invalid-input', `the crash point ${JSON.stringify(text)} cannot be used: ${what}`, next);
}

/** The text that parses to the same point. */
export function formatCrashPoint(point: CrashPoint): string {
  const after = point.afterMs === null ? '' : `+${point.afterMs}`;
  const action = formatAction(point.action);
  return `${formatTarget(point)}@${point.phase}${after}${action === 'SIGKILL' ? '' : `=${action}`}`;
}

/** As it is written after the `=`. */
export function formatAction(action: CrashAction): string {
  switch (action.kind) {
    case 'exit':
      return `exit:${action.code}`;
    case 'host':
      return action.relayToo ? 'both' : 'host';
    case 'signal':
      return action.signal;
  }
}

function formatTarget(point: CrashPoint): string {
  if (point.on === 'run') return 'run';
  if ('id' in point.operation) return point.operation.id;
  const { name, occurrence } = point.operation;
  return occurrence === 1 ? name : `${name}#${occurrence}`;
}
