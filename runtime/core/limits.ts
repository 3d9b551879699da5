/** Limits of DESIGN.md section 4 and 6. Sizes in bytes of UTF-8, times in milliseconds. */
export const limits = {
  inputBytes: 128 * 1024,
  resultBytes: 128 * 1024,
  traceBytes: 2 * 1024 * 1024,
  frameBytes: 1024 * 1024,
  /** A frame whose value history keeps, so that it comes back in one frame with what names it. */
  keptBytes: 896 * 1024,
  runMs: 60 * 60 * 1000,
  attempts: 3,
  cancelGraceMs: 10_000,
  /** How long a tool's `recover` callback may take to say what became of one call. */
  recoverMs: 30_000,
  /** An intent on which nobody waits is committed at the latest after this time, so that it is seen while it runs. */
  lazyIntentMs: 3,
  /** stdout and stderr of one attempt, each. What is over it is drained and counted, not kept. */
  outputBytes: 8 * 1024 * 1024,
} as const;
