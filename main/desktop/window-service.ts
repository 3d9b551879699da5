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
          return () => void menus.delete(outlet);
        },
      },
    },
    giveCommand(command) {
      // A page that is going just now does not take it any more.
      for (const { give } of menus) void Promise.resolve(give({ command })).catch(() => undefined);
    },
  };
}
