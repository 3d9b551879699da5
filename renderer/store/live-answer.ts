import { useEffect, useRef, useState } from 'react';
import {
  asLabError,
  type CallName,
  type EventType,
  type Gives,
  type LabError,
  type Takes,
} from '../../runtime/contract/index.ts';
import { lab } from '../lab/lab.ts';
import { useLab } from './lab-store.ts';
import { useOpenRun } from './open-run.ts';

/** An answer of the lab that is kept up with the run in view. The last one stays while the next is on its way. */
export interface LiveAnswer<Given> {
  readonly answer: Given | null;
  readonly error: LabError | null;
  retry(this: void): void;
}

/**
 * Calls once, and again after each event of the run in view of one of `types`: never two at a time, and however many
 * events come, at most once in `restMs`. Nothing is asked while nothing happens. `name` stays the same.
 */
export function useLiveAnswer<N extends CallName>(
  name: N,
  input: Takes<N>,
  types: ReadonlySet<EventType>,
  restMs = 250,
): LiveAnswer<Gives<N>> {
  const asked = JSON.stringify(input);
  const [shown, setShown] = useState<{ asked: string; answer: Gives<N> | null; error: LabError | null }>({
    ...{ asked, answer: null, error: null },
  });
  const [again, setAgain] = useState(0);
  const isOpen = useLab(({ connection }) => connection.state === 'open');
  const sequence = useOpenRun(({ history }) => history.events.findLast(({ type }) => types.has(type))?.sequence ?? 0);
  const turn = useRef({ isBusy: false, isWanted: false });

  useEffect(() => {
    const own = { isBusy: false, isWanted: false };
    turn.current = own;
    return () => void (own.isWanted = false);
  }, [asked]);

  useEffect(() => {
    const own = turn.current;
    if (!isOpen) return;
    own.isWanted = true;
    const ask = async (): Promise<void> => {
      own.isBusy = true;
      while (own.isWanted && turn.current === own) {
        own.isWanted = false;
        const next = await lab.call(name, JSON.parse(asked) as Takes<N>).then(
          (answer) => ({ answer, error: null }),
          (thrown: unknown) => ({ error: asLabError(thrown) }),
        );
        if (turn.current === own)
          setShown((last) => ({ asked, answer: last.asked === asked ? last.answer : null, ...next }));
        await new Promise((resolve) => setTimeout(resolve, restMs));
      }
      own.isBusy = false;
    };
    if (!own.isBusy) void ask();
  }, [name, asked, restMs, isOpen, sequence, again]);

  const isCurrent = shown.asked === asked;
  return {
    answer: isCurrent ? shown.answer : null,
    error: isCurrent ? shown.error : null,
    retry: () => setAgain((count) => count + 1),
  };
}
