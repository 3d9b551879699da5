import { useState } from 'react';
import { asLabError, type LabError } from '../../runtime/contract/index.ts';

/** The answer to what a dialog sends: its error stays beside what was typed. */
export function useSending(): {
  readonly isSending: boolean;
  readonly error: LabError | null;
  readonly send: (work: () => Promise<void>) => void;
  readonly forget: () => void;
} {
  const [state, setState] = useState<{ isSending: boolean; error: LabError | null }>({ isSending: false, error: null });
  const send = (work: () => Promise<void>): void => {
    setState({ isSending: true, error: null });
    work().then(
      () => setState({ isSending: false, error: null }),
      (thrown: unknown) => setState({ isSending: false, error: asLabError(thrown) }),
    );
  };
  return { ...state, send, forget: () => setState({ isSending: false, error: null }) };
}
