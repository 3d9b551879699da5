import { Facts, PageSection } from '../design/page-section.tsx';
import { Empty, Loading } from '../design/states.tsx';
import { useLab } from '../store/lab-store.ts';

/** One of the lab's own services: what it is honest about, and what it has seen. */
export function ServiceView({ name }: { readonly name: string }) {
  const service = useLab(({ status }) => status?.services.find((one) => one.name === name));
  const isRead = useLab(({ status }) => status !== null);
  if (service === undefined) {
    return isRead ? <Empty title={`There is no service ${name}`} /> : <Loading what="the services" />;
  }
  const { kind, description, pid, baseUrl, requests, effects } = service;
  return (
    <article aria-label={`service ${name}`} className="h-full overflow-y-auto" tabIndex={0}>
      <div className="mx-auto max-w-3xl px-5 pt-4 pb-8">
        <h1 className="text-[17px] font-semibold tracking-tight">{name}</h1>
        <p className="mt-1 text-[14px]">{description}</p>
        <PageSection title="Process">
          <Facts
            rows={[
              ['kind', kind === 'http' ? 'HTTP service, a process of its own on loopback' : 'MCP server over stdio'],
              ['pid', pid === null ? notRunning[kind] : <code className="font-mono">{pid}</code>],
              ...(baseUrl === null ? [] : [['address', <code className="font-mono">{baseUrl}</code>] as const]),
            ]}
          />
        </PageSection>
        <PageSection title="What it has seen">
          <div className="grid grid-cols-2 gap-3 sm:max-w-md">
            <Count value={requests} label="requests" hint="Every request that reached it, repeated ones too" />
            <Count value={effects} label="effects" hint="Requests that left something in the world" />
          </div>
          <p className="mt-3 text-quiet">
            Counted in its own database, in all runs. What it saw of one run stands in the run’s “Two ledgers”.
          </p>
        </PageSection>
      </div>
    </article>
  );
}

const notRunning = {
  http: 'not running: it starts when a run first asks for it',
  mcp: 'not running: it is started for each call',
};

function Count({ value, label, hint }: { readonly value: number; readonly label: string; readonly hint: string }) {
  return (
    <div className="rounded border border-line bg-panel p-3" title={hint}>
      <p className="text-[22px] leading-7 font-semibold tabular-nums">{value}</p>
      <p className="text-quiet">{label}</p>
    </div>
  );
}
