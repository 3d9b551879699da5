/** Characters written in one frame at most, and how many may wait before the host is asked to. */
const sliceLength = 64 * 1024;
const mostWaiting = 256 * 1024;

export interface OutputPump {
  /** Resolves when more may be given. */
  add(text: string): Promise<void>;
  stop(): void;
}

/** Where text goes, slice by slice. */
export interface PumpTarget {
  /** Resolves when it has been taken in. */
  write(this: void, text: string): Promise<void>;
  /** Resolves with the next frame: between two slices what a person types or presses comes first. */
  nextFrame(this: void): Promise<void>;
}

/** Writes text in the order in which it comes, at most one slice a frame. */
export function openOutputPump({ write, nextFrame }: PumpTarget): OutputPump {
  let waiting: string[] = [];
  let length = 0;
  let isRunning = false;
  let isStopped = false;
  let room = Promise.withResolvers<void>();

  async function run(): Promise<void> {
    isRunning = true;
    while (length > 0 && !isStopped) {
      const all = waiting.join('');
      const rest = all.slice(sliceLength);
      waiting = rest === '' ? [] : [rest];
      length = rest.length;
      await write(all.slice(0, sliceLength));
      if (length < mostWaiting) {
        room.resolve();
        room = Promise.withResolvers();
      }
      await nextFrame();
    }
    isRunning = false;
  }
  return {
    async add(text) {
      if (isStopped || text === '') return;
      waiting.push(text);
      length += text.length;
      const free = room.promise;
      if (!isRunning) void run();
      if (length >= mostWaiting) await free;
    },
    stop() {
      isStopped = true;
      waiting = [];
      length = 0;
      room.resolve();
    },
  };
}
