import { join } from 'node:path';
import type { Feeds, LabEvent } from '../../runtime/contract/index.ts';
import type { OutputPiece } from '../../runtime/supervisor/index.ts';
import { OutputReader } from '../../runtime/supervisor/index.ts';
import { requireRun, type ReadableLedger } from '../reading-handlers.ts';
import { openPump } from './pump.ts';

export interface OutputSources {
  readonly ledger: Pick<ReadableLedger, 'run' | 'attempts'>;
  /** `runs/` of the data folder. */
  readonly runsFolder: string;
  onEvent(this: void, listener: (event: LabEvent) => void): () => void;
  onOutput(this: void, listener: (piece: Pick<OutputPiece, 'run'>) => void): () => void;
}

/**
 * Follows what a run's attempts write, one attempt after the other, by reading their files: woken by what is added to
 * them, with one chunk in hand, however much there is and however slow the follower.
 */
export function followOutput({ ledger, runsFolder, onEvent, onOutput }: OutputSources): Feeds['run/output'] {
  return ({ run, from }, outlet) => {
    requireRun(ledger, run);
    const readerOf = (number: number, place: { stdout: number; stderr: number }): OutputReader =>
      new OutputReader(join(runsFolder, run, 'attempts', String(number)), place);
    let { attempt } = from;
    let reader = readerOf(attempt, from);
    const pump = openPump({
      everyMs: 0,
      async work(stopped) {
        while (!stopped.aborted) {
          const attempts = ledger.attempts(run);
          // Asked before the files are read: a process's output is on disk before its end is known.
          const isOver = attempts.some(({ number, endedAt }) => number === attempt && endedAt !== null);
          const chunk = await reader.next(isOver);
          if (chunk !== null) {
            const { stream, offset, bytes } = chunk;
            await outlet.give({ attempt, stream, offset, data: bytes.toString('base64') });
            continue;
          }
          if (!isOver || !attempts.some(({ number }) => number > attempt)) return;
          await reader.close();
          attempt += 1;
          reader = readerOf(attempt, { stdout: 0, stderr: 0 });
        }
      },
      release() {
        for (const unsubscribe of subscriptions) unsubscribe();
        void reader.close();
      },
      fail: (error) => outlet.fail(error),
    });
    const subscriptions = [
      onOutput((piece) => {
        if (piece.run === run) pump.wake();
      }),
      onEvent((event) => {
        if (event.run === run && turns.has(event.type)) pump.wake();
      }),
    ];
    pump.wake();
    return pump.stop;
  };
}

/** Events after which an attempt's output is whole, or that of the next begins. */
const turns: ReadonlySet<LabEvent['type']> = new Set(['run.claimed', 'attempt.ended']);
