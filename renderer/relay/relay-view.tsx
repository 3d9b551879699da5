import { Plus, X } from 'lucide-react';
import type { Manifest, RelayRow } from '../../runtime/contract/index.ts';
import { useEnabled } from '../commands/command-button.tsx';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { Facts, PageSection } from '../design/page-section.tsx';
import { Empty, Loading } from '../design/states.tsx';
import { shape } from '../dialogs/schema-help.ts';
import { useLab } from '../store/lab-store.ts';
import { openDialog } from '../store/view-store.ts';
import { forgetRelay } from './forget-relay.ts';
import { useFreshRelays } from './fresh-relays.ts';
import { RelayPermissions } from './relay-permissions.tsx';
import { RelayReleases } from './relay-releases.tsx';
import { RelayRuns } from './relay-runs.tsx';
import { RelaySecrets } from './relay-secrets.tsx';
import { RelayVariables } from './relay-variables.tsx';

/** A relay's folder: what its manifest says, what it may use, its releases and its runs. */
export function RelayView({ folder }: { readonly folder: string }) {
  const relay = useLab(({ relays }) => relays.find((one) => one.folder === folder));
  const isRead = useLab(({ info }) => info !== null);
  useFreshRelays();
  if (relay === undefined) {
    return isRead ? (
      <Empty title="This folder is not in the list">
        <code className="font-mono">{folder}</code>
      </Empty>
    ) : (
      <Loading what="the relays" />
    );
  }
  const { name, manifest } = relay;
  return (
    <article aria-label={`relay ${name}`} className="h-full overflow-y-auto" tabIndex={0}>
      <div className="mx-auto max-w-3xl px-5 pt-4 pb-8">
        <Head relay={relay} />
        {relay.problem !== null && <Problem problem={relay.problem} />}
        {manifest !== null && (
          <>
            <PageSection title="Manifest">
              <Facts rows={manifestFacts(manifest, relay.inputSchema)} />
            </PageSection>
            <PageSection title="Variables">
              <RelayVariables variables={manifest.variables} />
            </PageSection>
            <PageSection title="Secrets">
              <RelaySecrets relay={name} secrets={manifest.secrets} />
            </PageSection>
            <PageSection title="What it declares">
              <RelayPermissions manifest={manifest} />
            </PageSection>
          </>
        )}
        <PageSection title="Its runs">
          <RelayRuns relay={name} />
        </PageSection>
        <PageSection title="Its releases">
          <RelayReleases relay={name} />
        </PageSection>
      </div>
    </article>
  );
}

function Head({ relay: { folder, name, origin, manifest, problem } }: { readonly relay: RelayRow }) {
  const isConnected = useEnabled('new-run');
  return (
    <header>
      <h1 className="text-[17px] font-semibold tracking-tight">{name}</h1>
      {manifest !== null && manifest.description !== '' && <p className="mt-1 text-[14px]">{manifest.description}</p>}
      <p className="mt-1 flex items-center gap-1 text-quiet">
        <code className="min-w-0 font-mono text-[12px] wrap-anywhere">{folder}</code>
        <CopyButton text={folder} what="the folder" />
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          look="primary"
          disabled={!isConnected || problem !== null}
          onClick={() => openDialog({ kind: 'new-run', folder })}
        >
          <Plus size={14} aria-hidden="true" /> New run…
        </Button>
        {origin === 'opened' && (
          <Button
            disabled={!isConnected}
            title="Takes it out of the list; its folder, its releases and its runs stay"
            onClick={() => void forgetRelay(folder)}
          >
            <X size={14} aria-hidden="true" /> Forget
          </Button>
        )}
      </div>
    </header>
  );
}

function Problem({ problem: { code, message, next } }: { readonly problem: NonNullable<RelayRow['problem']> }) {
  return (
    <div role="alert" className="mt-4 rounded border border-failed/50 bg-failed/5 p-3">
      <p>
        <code className="mr-2 font-mono text-failed">{code}</code>
        {message}
      </p>
      {next !== '' && <p className="mt-1 text-quiet">{next}</p>}
    </div>
  );
}

function manifestFacts(
  { relay_runtime, relay_durability, entry, skills }: Manifest,
  schema: RelayRow['inputSchema'],
): readonly (readonly [string, string])[] {
  const durability = { dbos: 'dbos: operations are checkpointed', none: 'none: a dead process ends the run' };
  const fields = schema?.['properties'];
  const input =
    schema === null
      ? 'any JSON'
      : typeof fields === 'object' && fields !== null
        ? Object.keys(fields).join(', ')
        : shape(schema);
  return [
    ['entry', entry],
    ['runtime', relay_runtime],
    ['durability', durability[relay_durability]],
    ['input', input],
    ...list('skills', skills),
  ];
}

function list(name: string, values: readonly string[]): (readonly [string, string])[] {
  return values.length === 0 ? [] : [[name, values.join(', ')]];
}
