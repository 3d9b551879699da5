import { useEffect, useState } from 'react';
import { asLabError, type LabError, type OperationDetail } from '../../runtime/contract/index.ts';
import type { OperationHistory } from '../history/run-history.ts';
import { lab } from '../lab/lab.ts';

interface Asked {
  readonly detail: OperationDetail | null;
  readonly error: LabError | null;
  readonly retry: () => void;
}

/** The operation whole, asked for again each time that an event touched it; what is known stays until the answer is here. */
export function useOperationDetail(run: string, operation: OperationHistory): Asked {
  const [detail, setDetail] = useState<OperationDetail | null>(null);
  const [error, setError] = useState<LabError | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isWanted = true;
    lab.call('run/operation', { run, operation: operation.id }).then(
      (found) => {
        if (!isWanted) return;
        setDetail(found);
        setError(null);
      },
      (thrown: unknown) => {
        if (isWanted) setError(asLabError(thrown));
      },
    );
    return () => void (isWanted = false);
    // The fold makes a new row of an operation when an event touches it, and only then.
  }, [run, operation, tries]);
  return { detail, error, retry: () => setTries(tries + 1) };
}
