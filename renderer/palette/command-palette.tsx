import { useState } from 'react';
import { Dialog } from '@base-ui/react/dialog';
import { Command } from 'cmdk';
import { commandIds, commands, commandState, giveCommand } from '../commands/commands.ts';
import { keyWords } from '../commands/keys.ts';
import { openDialog } from '../store/view-store.ts';
import { LabItems } from './lab-items.tsx';
import { Item } from './palette-item.tsx';

const group =
  '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-[11px] [&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:tracking-wider [&_[cmdk-group-heading]]:text-quiet [&_[cmdk-group-heading]]:uppercase';

/** Everything that can be done or gone to, found by typing. */
export function CommandPalette() {
  const [text, setText] = useState('');
  return (
    <Dialog.Root open onOpenChange={(open) => !open && openDialog(null)}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/35" />
        <Dialog.Popup className="fixed top-[12vh] left-1/2 z-50 w-full max-w-[min(640px,94vw)] -translate-x-1/2 overflow-hidden rounded-lg border border-line bg-panel shadow-2xl">
          <Dialog.Title className="sr-only">Command palette</Dialog.Title>
          <Command label="Commands, scenarios, relays and runs" loop className={group}>
            <Command.Input
              autoFocus
              value={text}
              onValueChange={setText}
              placeholder="A command, scenario, relay, run or operation…"
              className="h-11 w-full border-b border-line bg-transparent px-3.5 text-[14px] outline-none placeholder:text-quiet"
            />
            <Command.List className="max-h-[56vh] overflow-y-auto p-1.5">
              <Command.Empty className="p-4 text-center text-quiet">Nothing fits.</Command.Empty>
              <CommandItems />
              <LabItems isSearching={text.trim() !== ''} />
            </Command.List>
          </Command>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Commands that can be given now. */
function CommandItems() {
  const state = commandState();
  const possible = commandIds.filter((id) => id !== 'palette' && commands[id].enabled(state));
  return (['Run', 'Lab', 'View'] as const).map((name) => (
    <Command.Group key={name} heading={name}>
      {possible
        .filter((id) => commands[id].group === name)
        .map((id) => {
          const { label, hint, keys } = commands[id];
          return (
            <Item
              key={id}
              value={`command ${label}`}
              keywords={[hint]}
              note={keys === undefined ? '' : keyWords(keys)}
              onChoose={() => giveCommand(id)}
            >
              {label}
            </Item>
          );
        })}
    </Command.Group>
  ));
}
