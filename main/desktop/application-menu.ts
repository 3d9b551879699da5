import { app, Menu, shell, type MenuItemConstructorOptions } from 'electron';
import { menuCommands, type MenuCommand } from '../../runtime/contract/index.ts';

type MenuName = (typeof menuCommands)[MenuCommand]['menu'];

/** The only addresses that leave the app, for the system's browser. */
const links = { 'DBOS documentation': 'https://docs.dbos.dev/' } as const;

/** The native menu. A chosen command goes to the page, which knows what it is about and whether it can be given. */
export function setApplicationMenu(give: (command: MenuCommand) => void): void {
  const commandsOf = (name: MenuName): MenuItemConstructorOptions[] =>
    (Object.keys(menuCommands) as MenuCommand[])
      .filter((id) => menuCommands[id].menu === name)
      .map((id) => {
        const { label, accelerator } = menuCommands[id];
        return { id, label, click: () => give(id), ...(accelerator === null ? {} : { accelerator }) };
      });
  const isMac = process.platform === 'darwin';
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    { label: 'File', submenu: [...commandsOf('File'), { type: 'separator' }, { role: isMac ? 'close' : 'quit' }] },
    { role: 'editMenu' },
    { label: 'Run', submenu: commandsOf('Run') },
    {
      label: 'View',
      submenu: [
        ...commandsOf('View'),
        { type: 'separator' },
        { role: 'reload' },
        ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' } as const]),
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        ...commandsOf('Help'),
        ...Object.entries(links).map(([label, url]) => ({ label, click: () => void shell.openExternal(url) })),
      ],
    },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
