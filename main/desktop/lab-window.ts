import { app, BrowserWindow, dialog, type Session } from 'electron';
import { builtFile } from '../built-program.ts';
import { pageOrigin } from './page-origin.ts';
import { keepWindowState, readWindowState } from './window-state.ts';

const smallest = { minWidth: 720, minHeight: 480 } as const;

/** Opens the lab's one window. Its page is sandboxed, isolated, and stays where it is. */
export function openLabWindow(stateFile: string): BrowserWindow {
  const { bounds, maximised } = readWindowState(stateFile);
  const window = new BrowserWindow({
    ...bounds,
    ...smallest,
    show: false,
    title: 'Relay Recovery Lab',
    webPreferences: {
      preload: builtFile('preload/preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  });
  keepWindowState(window, stateFile);
  window.once('ready-to-show', () => {
    if (maximised) window.maximize();
    window.show();
  });
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit') void offerReload(window, reason);
  });
  // What is served from memory fails only when the window is closed while it loads.
  window.loadURL(`${pageOrigin}/`).catch(() => undefined);
  return window;
}

/** For every page that ever is: it goes nowhere, opens nothing, embeds nothing. */
export function denyNavigation(): void {
  app.on('web-contents-created', (_event, contents) => {
    const deny = (event: { preventDefault(): void }): void => event.preventDefault();
    contents.on('will-navigate', deny);
    contents.on('will-frame-navigate', deny);
    contents.on('will-redirect', deny);
    contents.on('will-attach-webview', deny);
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
}

/** The page asks for no camera, place or device, and gets none; the clipboard may be written on a click. */
export function denyPermissions(session: Session): void {
  const allowed = new Set(['clipboard-sanitized-write']);
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(allowed.has(permission)));
  session.setPermissionCheckHandler((_contents, permission) => allowed.has(permission));
  session.setDevicePermissionHandler(() => false);
}

async function offerReload(window: BrowserWindow, reason: string): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    message: 'The page of the lab is gone',
    detail: `Its process ended (${reason}). Runs go on in the host; a new page shows them as they are.`,
    buttons: ['Load it again', 'Close the window'],
    defaultId: 0,
    cancelId: 0,
  });
  if (window.isDestroyed()) return;
  if (response === 0) window.webContents.reload();
  else window.close();
}
