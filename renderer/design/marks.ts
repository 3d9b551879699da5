import type { Run } from '../../runtime/contract/index.ts';

/** Sign, colour and words of everything that has a state: one colour language for table, timeline, graph and lists. */
export const runMarks: Readonly<Record<Run['state'], { sign: string; colour: string; words: string }>> = {
  queued: { sign: '○', colour: 'text-quiet', words: 'queued' },
  running: { sign: '▶', colour: 'text-open', words: 'running' },
  waiting: { sign: '◷', colour: 'text-waiting', words: 'waiting' },
  interrupted: { sign: '⚡', colour: 'text-kill', words: 'interrupted' },
  needs_reconciliation: { sign: '?', colour: 'text-uncertain', words: 'needs reconciliation' },
  cancel_requested: { sign: '◌', colour: 'text-waiting', words: 'cancel requested' },
  cancelled: { sign: '⊘', colour: 'text-quiet', words: 'cancelled' },
  succeeded: { sign: '●', colour: 'text-done', words: 'succeeded' },
  failed: { sign: '✕', colour: 'text-failed', words: 'failed' },
};

export const operationMarks = {
  open: { sign: '▷', colour: 'text-open', fill: 'var(--open)', words: 'at work' },
  done: { sign: '◆', colour: 'text-done', fill: 'var(--done)', words: 'done' },
  reused: { sign: '◇', colour: 'text-reused', fill: 'var(--reused)', words: 'reused' },
  failed: { sign: '✕', colour: 'text-failed', fill: 'var(--failed)', words: 'failed' },
  cut: { sign: '◌', colour: 'text-kill', fill: 'var(--kill)', words: 'begun, never completed' },
  uncertain: { sign: '?', colour: 'text-uncertain', fill: 'var(--uncertain)', words: 'uncertain' },
} as const;
