/** The part of Electron's main-process module that the desktop host uses. */
export { app } from './app.ts';
export { BrowserWindow } from './browser-window.ts';
export { dialog } from './dialog.ts';
export { ipcMain } from './ipc-main.ts';
export { Menu } from './menu.ts';
export { MessageChannelMain } from './message-ports.ts';
export { protocol } from './protocol.ts';
export { safeStorage } from './safe-storage.ts';
export { screen } from './screen.ts';
export { session } from './session.ts';
export { shell } from './shell.ts';

import './commands.ts';
