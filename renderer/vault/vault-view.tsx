import { Lock, LockOpen, Plus } from 'lucide-react';
import { useEnabled } from '../commands/command-button.tsx';
import { Button } from '../design/button.tsx';
import { PageSection } from '../design/page-section.tsx';
import { Loading } from '../design/states.tsx';
import { useFreshRelays } from '../relay/fresh-relays.ts';
import { useLab } from '../store/lab-store.ts';
import { openDialog } from '../store/view-store.ts';
import { SecretAskers } from './secret-askers.tsx';
import { markOf } from './secret-mark.tsx';
import type { SecretRow } from './secret-rows.ts';
import { useSecretRows } from './use-secret-rows.ts';

/** The lab's secrets: their names, how they are kept, and who may have them. Values are never here. */
export function VaultView() {
  const vault = useLab(({ vault }) => vault);
  const rows = useSecretRows();
  const isConnected = useEnabled('new-run');
  useFreshRelays();
  if (vault === null || rows === null) return <Loading what="the vault" />;
  const isSealed = vault.keeping === 'key-store';
  const Sign = isSealed ? Lock : LockOpen;
  return (
    <article aria-label="Vault" className="h-full overflow-y-auto" tabIndex={0}>
      <div className="mx-auto max-w-3xl px-5 pt-4 pb-8">
        <h1 className="text-[17px] font-semibold tracking-tight">Vault</h1>
        <p className="mt-1 text-[14px]">
          Secrets that relays read with <code className="font-mono">await vault('NAME')</code>, live at each use. A
          value goes in and is never shown again.
        </p>
        <p
          className={`mt-3 flex gap-2 rounded border p-3 wrap-anywhere ${isSealed ? 'border-done/40 bg-done/5' : 'border-waiting/50 bg-waiting/5'}`}
        >
          <Sign size={16} aria-hidden="true" className="mt-0.5 shrink-0" />
          {`${vault.words.charAt(0).toUpperCase()}${vault.words.slice(1)}.`}
        </p>
        <PageSection
          title="Secrets"
          tools={
            <Button disabled={!isConnected} onClick={() => openDialog({ kind: 'set-secret', name: null })}>
              <Plus size={14} aria-hidden="true" /> Set a secret…
            </Button>
          }
        >
          {rows.length === 0 ? (
            <p className="text-quiet">
              The vault is empty, and no relay asks for a secret. A relay asks by naming it in “secrets” of its
              relay.json.
            </p>
          ) : (
            <ul className="divide-y divide-line/60">
              {rows.map((row) => (
                <Secret key={row.name} row={row} />
              ))}
            </ul>
          )}
        </PageSection>
      </div>
    </article>
  );
}

function Secret({ row }: { readonly row: SecretRow }) {
  const { name, set } = row;
  const isConnected = useEnabled('new-run');
  const { sign, colour, words } = markOf(row);
  return (
    <li className="py-2" aria-label={`secret ${name}`}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span aria-hidden="true" className={`w-4 text-center ${colour}`}>
          {sign}
        </span>
        <code className="font-mono font-medium wrap-anywhere">{name}</code>
        {set !== null && <Dots />}
        <span className={colour}>{words}</span>
        <span className="ml-auto flex gap-2">
          <Button
            look={set === null ? 'primary' : 'plain'}
            disabled={!isConnected}
            aria-label={`${set === null ? 'Set' : 'Replace'} ${name}`}
            onClick={() => openDialog({ kind: 'set-secret', name })}
          >
            {set === null ? 'Set…' : 'Replace…'}
          </Button>
          {set !== null && (
            <Button
              look="danger"
              disabled={!isConnected}
              aria-label={`Remove ${name}`}
              onClick={() => openDialog({ kind: 'remove-secret', name })}
            >
              Remove…
            </Button>
          )}
        </span>
      </div>
      <div className="pl-7">
        {set !== null && (
          <p className="text-[12px] text-quiet">
            {set.kept === 'plain' ? 'kept readable' : 'kept encrypted'}, set{' '}
            <time dateTime={new Date(set.changedAt).toISOString()}>{new Date(set.changedAt).toLocaleString()}</time>
          </p>
        )}
        {set?.problem != null && (
          <p className="mt-1 text-failed">Its value cannot be had in this host: {set.problem}. Set it again.</p>
        )}
        <SecretAskers row={row} />
      </div>
    </li>
  );
}

/** Stands for a value: as long for every one. */
function Dots() {
  return (
    <span className="text-quiet">
      <span aria-hidden="true">•••</span>
      <span className="sr-only">value not shown</span>
    </span>
  );
}
