import { useState } from 'react';
import { Switch } from '@base-ui/react/switch';
import type { Permission } from '../../runtime/contract/index.ts';
import { useEnabled } from '../commands/command-button.tsx';
import { Button } from '../design/button.tsx';
import { Field, TextInput } from '../design/field.tsx';
import { Empty } from '../design/states.tsx';
import { clockTime } from '../design/words.ts';
import { act } from '../lab/act.ts';
import { useLab } from '../store/lab-store.ts';
import { DialogFrame, LeaveButton } from './dialog-frame.tsx';

/** What runs may use, as it is now. A change holds from the next call of a running relay on. */
export function PermissionsDialog() {
  const permissions = useLab(({ permissions }) => permissions);
  const [text, setText] = useState('');
  const found = permissions.filter(({ resource, changedBy }) =>
    `${resource} ${changedBy}`.toLowerCase().includes(text.trim().toLowerCase()),
  );
  return (
    <DialogFrame
      title="Permissions"
      description="Checked at the start, at recovery and before every platform call. To revoke one refuses the next call of runs that are at work, and their recovery; what is recorded stays."
      isWide
      actions={<LeaveButton>Close</LeaveButton>}
    >
      <TextInput
        type="search"
        aria-label="Find a permission"
        placeholder="relay, service, MCP server, or who changed it"
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="mb-2 w-full"
      />
      {found.length === 0 ? (
        <Empty title={permissions.length === 0 ? 'No permission was asked for yet' : 'None fits'}>
          {permissions.length === 0 && 'The first run of a relay asks for what its manifest declares.'}
        </Empty>
      ) : (
        <ul className="divide-y divide-line/60">
          {found.map((permission) => (
            <PermissionRow key={`${permission.caller} ${permission.resource}`} permission={permission} />
          ))}
        </ul>
      )}
      <OtherPermission />
    </DialogFrame>
  );
}

/** Settles one before any run has asked for it. */
function OtherPermission() {
  const isConnected = useEnabled('new-run');
  const by = useLab(({ info }) => info?.person ?? 'page');
  const [resource, setResource] = useState('');
  const isNamed = /^((relay|mcp|service):.+|secret:[^/]+\/.+)$/.test(resource.trim());
  const set = async (granted: boolean): Promise<void> => {
    if ((await act('permission/set', { resource: resource.trim(), granted, by })) !== null) setResource('');
  };
  return (
    <div className="mt-3 flex flex-wrap items-end gap-2 border-t border-line pt-3">
      <div className="min-w-60 flex-1">
        <Field
          label="Another one"
          hint="Before a run asks for it: relay:NAME, service:NAME, mcp:NAME or secret:RELAY/NAME."
        >
          {(ids) => (
            <TextInput
              {...ids}
              value={resource}
              className="font-mono"
              onChange={({ target }) => setResource(target.value)}
            />
          )}
        </Field>
      </div>
      <div className="mb-5 flex gap-2">
        <Button disabled={!isConnected || !isNamed} onClick={() => void set(true)}>
          Grant
        </Button>
        <Button look="danger" disabled={!isConnected || !isNamed} onClick={() => void set(false)}>
          Revoke
        </Button>
      </div>
    </div>
  );
}

function PermissionRow({ permission }: { readonly permission: Permission }) {
  const { resource, granted, changedAt, changedBy, caller } = permission;
  const isConnected = useEnabled('new-run');
  const by = useLab(({ info }) => info?.person ?? 'page');
  return (
    <li className="flex items-center gap-3 py-1.5">
      <PermissionSwitch
        label={resource}
        isGranted={granted}
        isDisabled={!isConnected}
        onChange={(next) => void act('permission/set', { resource, granted: next, by })}
      />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <code className="font-mono wrap-anywhere">{resource}</code>
          {!granted && <span className="font-medium text-kill">revoked</span>}
        </p>
        <p className="text-[12px] text-quiet wrap-anywhere">
          {granted ? 'granted to' : 'revoked from'} {caller} by {changedBy}
        </p>
      </div>
      <time dateTime={new Date(changedAt).toISOString()} className="shrink-0 text-[12px] text-quiet tabular-nums">
        {clockTime(changedAt)}
      </time>
    </li>
  );
}

interface PermissionSwitchProps {
  readonly label: string;
  readonly isGranted: boolean;
  readonly isDisabled: boolean;
  readonly onChange: (isGranted: boolean) => void;
}

function PermissionSwitch({ label, isGranted, isDisabled, onChange }: PermissionSwitchProps) {
  return (
    <Switch.Root
      aria-label={label}
      checked={isGranted}
      disabled={isDisabled}
      onCheckedChange={onChange}
      className="flex h-5 w-9 shrink-0 items-center rounded-full border border-line bg-raised p-0.5 transition-colors data-checked:border-done data-checked:bg-done data-disabled:opacity-50"
    >
      <Switch.Thumb className="size-3.5 rounded-full bg-quiet transition-transform data-checked:translate-x-4 data-checked:bg-panel" />
    </Switch.Root>
  );
}
