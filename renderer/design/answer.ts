import { useCallback, useEffect, useState } from 'react';
import { asLabError, type CallName, type Gives, type LabError, type Takes } from '../../runtime/contract/index.ts';
import { lab } from '../lab/lab.ts';

/** What a view read of the lab: nothing yet, the answer, or why there is none. */
export interface Answer<Value> {
  readonly value: Value | null;
  readonly error: LabError | null;
  readonly again: () => void;
}

/** Reads once, and again when the input changes or `again` is called. What was read stays until the next answer. */
export function useAnswer<N extends CallName>(name: N, input: Takes<N>): Answer<Gives<N>> {
  const key = JSON.stringify(input);
  const [times, setTimes] = useState(0);
  const [found, setFound] = useState<Omit<Answer<Gives<N>>, 'again'>>({ value: null, error: null });
  useEffect(() => {
    let isWanted = true;
    lab.call(name, JSON.parse(key) as Takes<N>).then(
      (value) => isWanted && setFound({ value, error: null }),
      (thrown: unknown) => isWanted && setFound(({ value }) => ({ value, error: asLabError(thrown) })),
    );
    return () => void (isWanted = false);
  }, [name, key, times]);
  const again = useCallback(() => setTimes((before) => before + 1), []);
  return { ...found, again };
}
