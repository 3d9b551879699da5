import { useEnabled } from '../commands/command-button.tsx';
import { Button } from '../design/button.tsx';
import { act } from '../lab/act.ts';
import { useLab } from '../store/lab-store.ts';
import type { SecretRow } from './secret-rows.ts';

/** Relays that ask for a secret, and the way to grant or revoke it, live. */
export function SecretAskers({ row: { name, set, askers } }: { readonly row: SecretRow }) {
  const isConnected = useEnabled('new-run');
  const by = useLab(({ info }) => info?.person ?? 'page');
  if (askers.length === 0) return <p className="mt-1 text-[12px] text-quiet">No known relay asks for it.</p>;
  return (
    <ul className="mt-1 space-y-1" aria-label={`relays that ask for ${name}`}>
      {askers.map(({ relay, resource, granted }) => (
        <li key={relay} className="flex flex-wrap items-center gap-x-3">
          <span className="wrap-anywhere">{relay}</span>
          <span className={granted === null ? 'text-quiet' : granted ? 'text-done' : 'font-medium text-kill'}>
            {granted === null ? 'granted with its first run' : granted ? '✓ granted' : '✕ revoked'}
          </span>
          <Button
            look={granted === false ? 'plain' : 'quiet'}
            disabled={!isConnected}
            aria-label={`${granted === false ? 'Grant' : 'Revoke'} ${name} ${granted === false ? 'to' : 'from'} ${relay}`}
            title={
              granted === false ? 'From its next use on' : 'Its next use is refused, also in a run that is at work'
            }
            onClick={() => void act('permission/set', { resource, granted: granted === false, by })}
          >
            {granted === false ? 'Grant' : 'Revoke'}
          </Button>
        </li>
      ))}
      {set === null && (
        <li className="text-[12px] text-quiet">Until it is set, each use of it fails with what to do.</li>
      )}
    </ul>
  );
}
