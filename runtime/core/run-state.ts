/** The run state machine (DESIGN.md section 4) as one table. */
export const runStates = [
  'queued',
  'running',
  'waiting',
  'interrupted',
  'needs_reconciliation',
  'cancel_requested',
  'succeeded',
  'failed',
  'cancelled',
] as const;
export type RunState = (typeof runStates)[number];

/** The states that may follow each state. A run leaves a state only along this table. */
export const nextStates = {
  queued: ['running', 'cancelled'],
  running: ['succeeded', 'failed', 'interrupted', 'needs_reconciliation', 'waiting', 'cancel_requested'],
  waiting: ['running', 'cancel_requested', 'interrupted', 'cancelled'],
  interrupted: ['queued', 'cancelled'],
  needs_reconciliation: ['queued', 'failed', 'cancelled'],
  cancel_requested: ['cancelled'],
  succeeded: [],
  failed: [],
  cancelled: [],
} as const satisfies Record<RunState, readonly RunState[]>;

export function canMove(from: RunState, to: RunState): boolean {
  return (nextStates[from] as readonly RunState[]).includes(to);
}

/** Every state from which `to` can be reached in one move: the condition of the write that makes the move. */
export function statesBefore(to: RunState): RunState[] {
  return runStates.filter((from) => canMove(from, to));
}

export function isTerminal(state: RunState): boolean {
  return nextStates[state].length === 0;
}

/** States in which a process of the run may be alive. */
export const liveStates = ['running', 'waiting', 'cancel_requested'] as const satisfies readonly RunState[];

export function isLive(state: RunState): boolean {
  return (liveStates as readonly RunState[]).includes(state);
}
