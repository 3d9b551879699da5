import { useEffect } from 'react';
import { asLabError } from '../../runtime/contract/index.ts';
import { useLab } from '../store/lab-store.ts';
import { readRelays } from '../store/mirror.ts';
import { notify } from '../store/view-store.ts';

/** Reads the relays again when a view of them opens: their folders are edited outside of the lab. */
export function useFreshRelays(): void {
  const isOpen = useLab(({ connection }) => connection.state === 'open');
  useEffect(() => {
    if (isOpen) readRelays().catch((thrown: unknown) => notify('The relays could not be read', asLabError(thrown)));
  }, [isOpen]);
}
