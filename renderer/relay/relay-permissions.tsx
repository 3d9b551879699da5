import type { Manifest, McpServer } from '../../runtime/contract/index.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { useLab } from '../store/lab-store.ts';

/** What a relay may reach, and whether it may now. */
export function RelayPermissions({ manifest: { name, services, mcp, secrets } }: { readonly manifest: Manifest }) {
  const permissions = useLab(({ permissions }) => permissions);
  const rows = [
    { resource: `relay:${name}`, what: 'to be run at all' },
    ...services.map((service) => ({ resource: `service:${service}`, what: 'a service that it calls' })),
    ...secrets.map((secret) => ({ resource: `secret:${name}/${secret}`, what: 'a secret that it reads' })),
    ...Object.entries(mcp).map(([server, one]) => ({ resource: `mcp:${server}`, what: mcpWords(one) })),
  ];
  return (
    <>
      <ul className="space-y-1">
        {rows.map(({ resource, what }) => {
          const found = permissions.find((one) => one.resource === resource);
          return (
            <li key={resource} className="flex flex-wrap items-baseline gap-x-3">
              <code className="font-mono">{resource}</code>
              <span className="text-quiet wrap-anywhere">{what}</span>
              <Standing isGranted={found?.granted ?? null} />
            </li>
          );
        })}
      </ul>
      <CommandButton command="permissions" className="mt-2" />
    </>
  );
}

function Standing({ isGranted }: { readonly isGranted: boolean | null }) {
  if (isGranted === null) return <span className="ml-auto text-quiet">granted with its first run</span>;
  return isGranted ? (
    <span className="ml-auto text-done">✓ granted</span>
  ) : (
    <span className="ml-auto font-medium text-kill">✕ revoked</span>
  );
}

function mcpWords(server: McpServer): string {
  return 'url' in server ? server.url : [server.command, ...server.args].join(' ');
}
