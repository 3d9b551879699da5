import { app, dialog, type BrowserWindow } from 'electron';

interface Ending {
  /** Runs that have a living process. */
  readonly activeRuns: () => number;
  /** Ends live runs as interrupted and lets the data folder go. */
  readonly end: () => Promise<void>;
}

/** How long ending the live runs may take before the app is gone all the same. */
const longestMs = 5000;

/**
 * Quitting asks while runs live, and says what becomes of them; then it ends them in order. A signal asks nobody. Gives
 * what makes the closing of the last window a quitting too, where the system has it so.
 */
export function guardQuitting(
  { activeRuns, end }: Ending,
  windowOf: () => BrowserWindow | null,
): (window: BrowserWindow) => void {
  let isEnding = false;
  let isAsking = false;

  function endNow(code: number): void {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => app.exit(code), longestMs).unref();
    void end().then(
      () => app.exit(code),
      () => app.exit(code),
    );
  }

  async function ask(): Promise<void> {
    isAsking = true;
    try {
      if (activeRuns() === 0 || (await mayEndRuns(activeRuns(), windowOf()))) endNow(0);
    } finally {
      isAsking = false;
    }
  }

  app.on('before-quit', (event) => {
    // `app.exit` does not come here: what comes here is a wish.
    event.preventDefault();
    if (!isEnding && !isAsking) void ask();
  });
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.on(signal, () => endNow(code));
  }
  return (window) => {
    window.on('close', (event) => {
      if (isEnding || process.platform === 'darwin') return;
      event.preventDefault();
      app.quit();
    });
  };
}

async function mayEndRuns(count: number, window: BrowserWindow | null): Promise<boolean> {
  const question = {
    type: 'question' as const,
    message: count === 1 ? 'One run is live' : `${count} runs are live`,
    detail:
      'Quitting ends their processes. The runs are then interrupted: what is checkpointed stays, and they can be ' +
      'recovered from their last checkpoint the next time.',
    buttons: ['Quit and interrupt them', 'Stay'],
    defaultId: 1,
    cancelId: 1,
  };
  const { response } = await (window === null
    ? dialog.showMessageBox(question)
    : dialog.showMessageBox(window, question));
  return response === 0;
}
