import { KeyRound, PanelBottom, PanelRight, Menu, Search, Settings as Gear, Stethoscope } from 'lucide-react';
import { CommandButton } from '../commands/command-button.tsx';
import { keyWords } from '../commands/keys.ts';
import { Button } from '../design/button.tsx';
import { useLab } from '../store/lab-store.ts';
import { go, useView } from '../store/view-store.ts';

/** What this lab is, and the commands that belong to no run. */
export function TitleBar({ isNarrow }: { readonly isNarrow: boolean }) {
  return (
    <header className="flex h-10 shrink-0 items-center gap-2 border-b border-line bg-panel px-2">
      {isNarrow && <SideToggle />}
      <button
        type="button"
        className="shrink-0 rounded px-1 text-[14px] font-semibold tracking-tight"
        onClick={() => go({ kind: 'welcome' })}
      >
        Relay Recovery Lab
      </button>
      <Facts />
      <div className="ml-auto flex shrink-0 items-center gap-1">
        <CommandButton command="palette" className="text-quiet">
          <Search size={14} aria-hidden="true" />
          <span className="max-lg:sr-only">Find a command</span>
          <kbd className="rounded bg-raised px-1 font-mono text-[11px]">{keyWords('Mod+K')}</kbd>
        </CommandButton>
        <PermissionsButton />
        <CommandButton command="vault" look="quiet" aria-label="Vault" className="px-1.5">
          <KeyRound size={15} aria-hidden="true" />
        </CommandButton>
        <CommandButton command="doctor" look="quiet" aria-label="Doctor" className="px-1.5">
          <Stethoscope size={15} aria-hidden="true" />
        </CommandButton>
        <CommandButton command="settings" look="quiet" aria-label="Settings" className="px-1.5">
          <Gear size={15} aria-hidden="true" />
        </CommandButton>
        <PaneToggles isNarrow={isNarrow} />
      </div>
    </header>
  );
}

function SideToggle() {
  const isOpen = useView(({ overlay }) => overlay === 'side');
  return (
    <Button
      look="quiet"
      aria-label="Scenarios, relays, services, vault and runs"
      aria-expanded={isOpen}
      className="px-1.5"
      onClick={() => useView.setState({ overlay: isOpen ? null : 'side' })}
    >
      <Menu size={16} aria-hidden="true" />
    </Button>
  );
}

function Facts() {
  const info = useLab(({ info }) => info);
  if (info === null) return null;
  const { engine, sqlite, journalMode, synchronous, pid, ephemeral, dataFolder } = info;
  return (
    <p className="flex min-w-0 items-center gap-2 overflow-hidden whitespace-nowrap text-quiet">
      <span title={`SQLite ${sqlite}, journal mode ${journalMode}, read back from the connection that writes`}>
        engine {engine}, {synchronous} sync
      </span>
      <span aria-hidden="true">·</span>
      <span>host pid {pid}</span>
      {ephemeral && (
        <span className="rounded bg-raised px-1.5 max-lg:hidden" title={`${dataFolder} is removed when the host ends`}>
          ephemeral
        </span>
      )}
    </p>
  );
}

function PermissionsButton() {
  const revoked = useLab(({ permissions }) => permissions.filter(({ granted }) => !granted).length);
  return (
    <CommandButton command="permissions" look="quiet">
      Permissions
      {revoked > 0 && <span className="rounded bg-kill/10 px-1 text-kill">{revoked} revoked</span>}
      <span aria-hidden="true">▾</span>
    </CommandButton>
  );
}

function PaneToggles({ isNarrow }: { readonly isNarrow: boolean }) {
  const isTerminalOpen = useView(({ terminalOpen }) => terminalOpen);
  const isInspectorOpen = useView(({ inspectorOpen, overlay }) => (isNarrow ? overlay === 'inspector' : inspectorOpen));
  return (
    <>
      <CommandButton
        command="toggle-terminal"
        look="quiet"
        aria-label="Terminal"
        aria-pressed={isTerminalOpen}
        className="px-1.5 aria-pressed:text-accent"
      >
        <PanelBottom size={15} aria-hidden="true" />
      </CommandButton>
      {isNarrow ? (
        <Button
          look="quiet"
          aria-label="Inspector"
          aria-pressed={isInspectorOpen}
          className="px-1.5 aria-pressed:text-accent"
          onClick={() => useView.setState({ overlay: isInspectorOpen ? null : 'inspector' })}
        >
          <PanelRight size={15} aria-hidden="true" />
        </Button>
      ) : (
        <CommandButton
          command="toggle-inspector"
          look="quiet"
          aria-label="Inspector"
          aria-pressed={isInspectorOpen}
          className="px-1.5 aria-pressed:text-accent"
        >
          <PanelRight size={15} aria-hidden="true" />
        </CommandButton>
      )}
    </>
  );
}
