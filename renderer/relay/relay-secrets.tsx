import { go } from '../store/view-store.ts';
import { Button } from '../design/button.tsx';
import { openDialog } from '../store/view-store.ts';
import { useEnabled } from '../commands/command-button.tsx';
import { markOf } from '../vault/secret-mark.tsx';
import { useSecretRows } from '../vault/use-secret-rows.ts';

/** Secrets that the relay asks for, and whether it can have them. */
export function RelaySecrets({ relay, secrets }: { readonly relay: string; readonly secrets: readonly string[] }) {
  const rows = useSecretRows();
  const isConnected = useEnabled('new-run');
  if (secrets.length === 0) return <p className="text-quiet">It asks for none.</p>;
  return (
    <>
      <ul className="space-y-1">
        {secrets.map((name) => {
          const row = rows?.find((one) => one.name === name) ?? { name, set: null, askers: [] };
          const { sign, colour, words } = markOf(row);
          const isRevoked = row.askers.some((one) => one.relay === relay && one.granted === false);
          return (
            <li key={name} className="flex flex-wrap items-center gap-x-3">
              <code className="font-mono wrap-anywhere">{name}</code>
              {row.set !== null && (
                <span aria-hidden="true" className="text-quiet">
                  •••
                </span>
              )}
              <span className={colour}>
                <span aria-hidden="true">{sign}</span> {words}
              </span>
              {isRevoked && <span className="font-medium text-kill">✕ revoked</span>}
              {row.set === null && (
                <Button
                  look="primary"
                  disabled={!isConnected}
                  aria-label={`Set ${name}`}
                  className="ml-auto"
                  onClick={() => openDialog({ kind: 'set-secret', name })}
                >
                  Set…
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      <Button className="mt-2" onClick={() => go({ kind: 'vault' })}>
        Open the vault
      </Button>
    </>
  );
}
