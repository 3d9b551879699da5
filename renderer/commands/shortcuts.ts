import { useEffect } from 'react';
import { lab } from '../lab/lab.ts';
import { useView } from '../store/view-store.ts';
import { commandIds, commands, giveCommand } from './commands.ts';
import { isMac, isPressed } from './keys.ts';

/** Gives commands by their keys and by the window's menu for as long as the page lives. */
export function useShortcuts(): void {
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      const isInDialog = useView.getState().dialog !== null;
      for (const id of commandIds) {
        const { keys } = commands[id];
        // Behind a dialog nothing is commanded but the palette.
        if (keys === undefined || !isPressed(keys, event, isMac) || (isInDialog && id !== 'palette')) continue;
        event.preventDefault();
        giveCommand(id);
        return;
      }
    };
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  useEffect(() => lab.follow('host/menu', {}, ({ command }) => giveCommand(command)), []);
}
