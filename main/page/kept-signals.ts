const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Keeps a signal that comes while something opens, so that it is not cut in half. The returned function sends it again,
 * for those who listen by then. A second signal ends the process at once.
 */
export function keepSignals(): () => void {
  const kept: { signal?: NodeJS.Signals } = {};
  const keep = (signal: NodeJS.Signals): void => {
    if (kept.signal !== undefined) process.exit(1);
    kept.signal = signal;
  };
  for (const signal of signals) process.on(signal, keep);
  return () => {
    for (const signal of signals) process.off(signal, keep);
    if (kept.signal !== undefined) process.kill(process.pid, kept.signal);
  };
}
