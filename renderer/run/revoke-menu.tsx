import { Menu } from '@base-ui/react/menu';
import { ChevronDown } from 'lucide-react';
import { useMemo } from 'react';
import type { Run } from '../../runtime/contract/index.ts';
import { Button } from '../design/button.tsx';
import { act } from '../lab/act.ts';
import { useLab } from '../store/lab-store.ts';
import { notify } from '../store/view-store.ts';

/** What the run's relay may use. Unticking revokes it now, also for a run at work. */
export function RevokeMenu({ run }: { readonly run: Run }) {
  const relays = useLab(({ relays }) => relays);
  const permissions = useLab(({ permissions }) => permissions);
  const rows = useMemo(() => {
    const relay =
      relays.find(({ folder }) => folder === run.draftFolder) ?? relays.find(({ name }) => name === run.relay);
    const { mcp = {}, services = [], secrets = [] } = relay?.manifest ?? {};
    const wanted = [
      `relay:${run.relay}`,
      ...Object.keys(mcp).map((name) => `mcp:${name}`),
      ...services.map((name) => `service:${name}`),
      ...secrets.map((name) => `secret:${run.relay}/${name}`),
    ];
    return wanted.map((resource) => ({
      resource,
      granted: permissions.find((one) => one.resource === resource && one.caller === run.caller)?.granted ?? false,
    }));
  }, [relays, permissions, run.relay, run.caller, run.draftFolder]);
  const revoked = rows.filter(({ granted }) => !granted).length;
  return (
    <Menu.Root>
      <Menu.Trigger render={<Button />} title="Grant and revoke what this relay may use, live">
        {revoked === 0 ? 'Revoke' : `${revoked} revoked`} <ChevronDown size={13} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="start" className="z-20">
          <Menu.Popup className="min-w-56 rounded border border-line bg-panel py-1 shadow-lg outline-none">
            {rows.map(({ resource, granted }) => (
              <Menu.CheckboxItem
                key={resource}
                checked={granted}
                closeOnClick={false}
                onCheckedChange={(checked) => void setPermission(resource, checked)}
                className="flex cursor-default items-center gap-2 px-3 py-1 outline-none data-highlighted:bg-raised"
              >
                <span aria-hidden="true" className={`w-4 text-center ${granted ? 'text-done' : 'text-kill'}`}>
                  {granted ? '✓' : '⊘'}
                </span>
                <span className="flex-1 font-mono text-[12px]">{resource}</span>
                <span className="text-quiet">{granted ? 'granted' : 'revoked'}</span>
              </Menu.CheckboxItem>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

async function setPermission(resource: string, granted: boolean): Promise<void> {
  const by = useLab.getState().info?.person ?? 'page';
  const set = await act('permission/set', { resource, granted, by });
  if (set !== null) notify(`${resource} is ${granted ? 'granted' : 'revoked'}`);
}
