import type { OperationHistory } from '../history/run-history.ts';

/** One time that an operation's body was at work. Milliseconds since 1970; `to` is null while it still is. */
export interface Body {
  readonly attempt: number;
  /** 1 for the first, then one more for each retry inside the attempt. */
  readonly number: number;
  readonly from: number;
  readonly to: number | null;
  readonly end: 'open' | 'done' | 'failed' | 'cut';
}

/** Every time that a body of the operation was begun: once an attempt that did not reuse it, and again after each failed try. */
export function bodiesOf({ spans, tries }: OperationHistory): Body[] {
  return spans.flatMap(({ attempt, from, to, outcome }): Body[] => {
    if (outcome === 'reused') return [];
    const retried = tries.filter((one) => one.attempt === attempt && one.retryInMs !== null && one.at >= from);
    const begun = [from, ...retried.map(({ at, retryInMs }) => at + (retryInMs ?? 0))];
    return begun.flatMap((start, place): Body[] => {
      const failedAt = retried[place]?.at;
      // Its process died, or was ended, while it waited for the next try: that body was never begun.
      if (to !== null && start > to) return [];
      return [
        {
          attempt,
          number: place + 1,
          from: start,
          ...(failedAt === undefined ? { to, end: outcome } : { to: failedAt, end: 'failed' }),
        },
      ];
    });
  });
}

/** The place of the body that was at work at a moment: the last that had begun by then. */
export function bodyAt(bodies: readonly Body[], at: number): number {
  return Math.max(
    0,
    bodies.findLastIndex(({ from }) => from <= at),
  );
}
