import { useEffect, useState } from 'react';
import { asLabError, type Gives, type LabError } from '../../runtime/contract/index.ts';
import { lab } from '../lab/lab.ts';

type Phases = Gives<'crash/phases'>;

let known: Promise<Phases> | null = null;

/** The phases at which a process can be killed, with what is on disk then. They are the lab's own: asked for once. */
export function useCrashPhases(): { readonly phases: Phases | null; readonly error: LabError | null } {
  const [phases, setPhases] = useState<Phases | null>(null);
  const [error, setError] = useState<LabError | null>(null);
  useEffect(() => {
    known ??= lab.call('crash/phases', {});
    known.then(setPhases, (thrown: unknown) => {
      known = null;
      setError(asLabError(thrown));
    });
  }, []);
  return { phases, error };
}
