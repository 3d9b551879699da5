import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { dialog, type BrowserWindow } from 'electron';
import type { ClientService, FeedItem, FeedOutlet, MenuCommand } from '../../runtime/contract/index.ts';
import { LabError } from '../../runtime/core/index.ts';

/** What only a window has, added to what the lab serves: dialogs of the system, and its menu. */
export interface WindowService {
  readonly service: ClientService;
  readonly giveCommand: (command: MenuCommand) => void;
}

export function windowService(lab: ClientService, windowOf: () => BrowserWindow | null): WindowService {
  const menus = new Set<FeedOutlet<FeedItem<'host/menu'>>>();
  /** Chosen while no page listened: a new window's page will, once it has loaded. */
  let waiting: MenuCommand | null = null;
  const window = (): BrowserWindow => {
    const open = windowOf();
    if (open === null) throw new LabError('not-supported', 'there is no window to show a dialog in');
    return open;
  };
  return {
    service: {
      handlers: {
        ...lab.handlers,
        async 'host/choose-folder'({ title }) {
          const { canceled, filePaths } = await dialog.showOpenDialog(window(), {
            title,
            properties: ['openDirectory'],
          });
          return canceled ? null : (filePaths[0] ?? null);
        },
        async 'host/save'({ name, text }) {
          const { canceled, filePath } = await dialog.showSaveDialog(window(), { defaultPath: name });
          if (canceled || filePath === '') return null;
          try {
            await writeFile(filePath, text, { mode: 0o600 });
          } catch (error) {
            const why = error instanceof Error ? error.message : String(error);
            throw new LabError('invalid-input', `${filePath} cannot be written: ${why}`, 'Choose another place.');
          }
          return basename(filePath);
        },
      },
      feeds: {
        ...lab.feeds,
        'host/menu'(_input, outlet) {
          menus.add(outlet);
          if (waiting !== null) void send(outlet, waiting);
          waiting = null;
          return () => void menus.delete(outlet);
        },
      },
    },
    giveCommand(command) {
      if (menus.size === 0) waiting = command;
      for (const outlet of menus) void send(outlet, command);
    },
  };
}

/** A page that goes just now does not take it any more. */
async function send({ give }: FeedOutlet<FeedItem<'host/menu'>>, command: MenuCommand): Promise<void> {
  try {
    await give({ command });
  } catch {
    // Its end is told by its port.
  }
}
