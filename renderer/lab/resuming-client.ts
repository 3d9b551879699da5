import { connectClient, LabError, resumeAfter, type FramePort, type LabClient } from '../../runtime/contract/index.ts';

export type Connection =
  | { readonly state: 'connecting' }
  | { readonly state: 'open' }
  | { readonly state: 'lost'; readonly reason: string; readonly since: number };

interface KeptFollow {
  start(client: LabClient): void;
  stop(): void;
}

const firstDelayMs = 200;
const longestDelayMs = 3000;

/**
 * A client that outlives its connection: when it is lost, it connects again, and each feed goes on after its last item,
 * so that nothing is missing and nothing comes twice. Calls in between fail with `process-gone`.
 */
export function openResumingClient(
  openPort: () => Promise<FramePort>,
  onChange: (connection: Connection) => void,
): LabClient & { retryNow(): void } {
  const follows = new Set<KeptFollow>();
  let current: LabClient | null = null;
  let isClosed = false;
  let delayMs = firstDelayMs;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function connect(): Promise<void> {
    clearTimeout(timer);
    onChange({ state: 'connecting' });
    try {
      const port = await openPort();
      current = await connectClient(watched(port));
      delayMs = firstDelayMs;
      onChange({ state: 'open' });
      for (const follow of follows) follow.start(current);
    } catch (thrown) {
      lost(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }

  /** The port, with its end also told here. */
  function watched(port: FramePort): FramePort {
    return {
      ...port,
      onEnd: (listener) =>
        port.onEnd((reason) => {
          listener(reason);
          if (current !== null) lost(reason);
        }),
    };
  }

  function lost(reason: string): void {
    current = null;
    if (isClosed) return;
    onChange({ state: 'lost', reason, since: Date.now() });
    clearTimeout(timer);
    timer = setTimeout(() => void connect(), delayMs);
    delayMs = Math.min(longestDelayMs, delayMs * 2);
  }

  void connect();
  return {
    call(name, input) {
      if (current !== null) return current.call(name, input);
      return Promise.reject(
        new LabError('process-gone', 'the host of this page cannot be reached', 'The page connects again by itself.'),
      );
    },
    follow(feed, input, listener, onEnd) {
      let from = input;
      let stopRemote = (): void => undefined;
      const follow: KeptFollow = {
        start(client) {
          stopRemote = client.follow(
            feed,
            from,
            async (item) => {
              await listener(item);
              from = resumeAfter(feed, from, item);
            },
            (error) => {
              // A lost connection ends all feeds; they are started again with the next one.
              if (error.code !== 'process-gone') onEnd?.(error);
            },
          );
        },
        stop: () => stopRemote(),
      };
      follows.add(follow);
      if (current !== null) follow.start(current);
      return () => {
        follows.delete(follow);
        follow.stop();
      };
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await current?.close();
    },
    retryNow() {
      if (current === null && !isClosed) void connect();
    },
  };
}
