/** A crash point as it is picked, part by part. */
export interface PickedPoint {
  /** A name, or `run` for the run itself. */
  readonly operation: string;
  readonly occurrence: number;
  readonly phase: string;
  /** Digits, or nothing. */
  readonly afterMs: string;
  readonly action: string;
}

/** `OPERATION[#N]@PHASE[+MS][=ACTION]`, as short as it goes. */
export function pointText({ operation, occurrence, phase, afterMs, action }: PickedPoint): string {
  const number = operation === 'run' || occurrence === 1 ? '' : `#${occurrence}`;
  const after = phase === 'during' && afterMs !== '' ? `+${afterMs}` : '';
  return `${operation}${number}@${phase}${after}${action === 'SIGKILL' ? '' : `=${action}`}`;
}
