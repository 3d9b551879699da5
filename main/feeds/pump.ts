export interface Pump {
  /** Something may be there to be given: works now, or once more after the work that is under way. */
  wake(this: void): void;
  stop(this: void): void;
}

export interface PumpWork {
  /** The least time from the beginning of one piece of work to that of the next. */
  readonly everyMs: number;
  /** Never called twice at a time. Many wakes can become one call. */
  work(this: void, stopped: AbortSignal): Promise<void>;
  /** Called once, as soon as it is stopped or its work fails, also while work is under way. */
  release(this: void): void;
  /** Called after `release` when its work failed. */
  fail(this: void, error: unknown): void;
}

/** What a feed does again and again: reads what is new and gives it, as often as it is woken and no oftener than it may. */
export function openPump({ everyMs, work, release, fail }: PumpWork): Pump {
  const stopping = new AbortController();
  const stopped = stopping.signal;
  let isWoken = false;
  let isWorking = false;

  function stop(): void {
    if (stopped.aborted) return;
    stopping.abort();
    release();
  }

  async function run(): Promise<void> {
    try {
      while (isWoken && !stopped.aborted) {
        // What else comes in the same turn, such as the other events of a commit, comes first.
        await Promise.resolve();
        isWoken = false;
        const pause = everyMs === 0 ? null : stoppablePause(everyMs, stopped);
        await work(stopped);
        await pause;
      }
    } catch (error) {
      if (stopped.aborted) return;
      stop();
      fail(error);
    } finally {
      // In the turn in which the loop ended: a wake that came after would be lost.
      isWorking = false;
    }
  }

  return {
    wake() {
      isWoken = true;
      if (isWorking || stopped.aborted) return;
      isWorking = true;
      void run();
    },
    stop,
  };
}

function stoppablePause(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      stopped.removeEventListener('abort', end);
      resolve();
    }
    stopped.addEventListener('abort', end);
  });
}
