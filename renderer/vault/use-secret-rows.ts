import { useMemo } from 'react';
import { useLab } from '../store/lab-store.ts';
import { secretRows, type SecretRow } from './secret-rows.ts';

/** The rows as they stand now; null until the vault has been read. */
export function useSecretRows(): readonly SecretRow[] | null {
  const vault = useLab(({ vault }) => vault);
  const relays = useLab(({ relays }) => relays);
  const permissions = useLab(({ permissions }) => permissions);
  return useMemo(
    () => (vault === null ? null : secretRows(vault.secrets, relays, permissions)),
    [vault, relays, permissions],
  );
}
