import type { ComponentProps } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { Button } from '../design/button.tsx';
import { useLab } from '../store/lab-store.ts';
import { useOpenRun } from '../store/open-run.ts';
import { useView } from '../store/view-store.ts';
import { commands, commandState, giveCommand, type CommandId } from './commands.ts';
import { keyWords } from './keys.ts';

/** Whether a command can be given now. Renders again when that changes. */
export function useEnabled(id: CommandId): boolean {
  // What `commandState` looks at: it is read anew when one of these changes.
  useLab(useShallow(({ connection, runs }) => [connection.state, runs]));
  useView(useShallow(({ place, operation }) => [place, operation]));
  useOpenRun(({ history }) => history);
  return commands[id].enabled(commandState());
}

interface CommandButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'title' | 'disabled'> {
  readonly command: CommandId;
}

/** The button of a command, with its own words unless others are given. */
export function CommandButton({ command: id, children, ...rest }: CommandButtonProps) {
  const { label, hint, keys } = commands[id];
  const isEnabled = useEnabled(id);
  return (
    <Button
      {...rest}
      disabled={!isEnabled}
      title={keys === undefined ? hint : `${hint} (${keyWords(keys)})`}
      onClick={() => giveCommand(id)}
    >
      {children ?? label}
    </Button>
  );
}
