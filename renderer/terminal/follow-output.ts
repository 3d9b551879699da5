import type { LabError } from '../../runtime/contract/index.ts';
import { lab } from '../lab/lab.ts';
import { useOpenRun } from '../store/open-run.ts';
import { openOutputPump } from './output-pump.ts';
import type { OutputTerminal } from './open-terminal.ts';
import { openTranscript } from './transcript.ts';

/** A frame, or a moment where there are none: a hidden page gets no frames. */
const nextFrame = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
    setTimeout(resolve, 100);
  });

/** Shows what the attempts of a run wrote and write, from the first byte on, until the returned function is called. */
export function followOutput(run: string, terminal: OutputTerminal, onFail: (error: LabError) => void): () => void {
  const transcript = openTranscript();
  const pump = openOutputPump({ write: terminal.write, nextFrame });
  const sized = new Set<number>();
  let isStopped = false;
  let ready = Promise.withResolvers<void>();

  const know = (): void => {
    const { history, run: opened } = useOpenRun.getState();
    if (opened !== run) return;
    void pump.add(transcript.know(history.attempts));
    for (const { number, endedAt } of history.attempts) {
      if (endedAt === null || sized.has(number)) continue;
      sized.add(number);
      void readSizes(run, number).then((sizes) => {
        if (!isStopped) void pump.add(transcript.endsAt(number, sizes));
      });
    }
    ready.resolve();
    ready = Promise.withResolvers();
  };
  /** Its process is known, or never will be: output may be shown under its first line. */
  const isKnown = (attempt: number): boolean => {
    const { history, run: opened, error } = useOpenRun.getState();
    if (error !== null) return true;
    return opened === run && history.attempts.some(({ number, spawnedAt }) => number === attempt && spawnedAt !== null);
  };

  const unsubscribe = useOpenRun.subscribe(know);
  know();
  const unfollow = lab.follow(
    'run/output',
    { run, from: { attempt: 1, stdout: 0, stderr: 0 } },
    async ({ attempt, stream, data }) => {
      while (!isKnown(attempt) && !isStopped) await ready.promise;
      if (isStopped) return;
      await pump.add(transcript.take(attempt, stream, bytesOf(data)));
    },
    onFail,
  );
  return () => {
    isStopped = true;
    unsubscribe();
    unfollow();
    ready.resolve();
    pump.stop();
  };
}

/** A loop: a function for each byte costs ten times as much. */
function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let place = 0; place < text.length; place += 1) bytes[place] = text.charCodeAt(place);
  return bytes;
}

/** How much an attempt that has ended wrote, by its files. Where they cannot be listed, as much as is here. */
async function readSizes(run: string, attempt: number): Promise<{ stdout: number; stderr: number }> {
  const files = await lab.call('run/files', { run }).catch(() => []);
  const sizeOf = (stream: string): number =>
    files.find(({ path }) => path === `attempts/${attempt}/${stream}`)?.bytes ?? 0;
  return { stdout: sizeOf('stdout'), stderr: sizeOf('stderr') };
}
