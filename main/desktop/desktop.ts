import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, BrowserWindow, dialog, session } from 'electron';
import { asLabError } from '../../runtime/core/index.ts';
import { builtFile } from '../built-program.ts';
import { findDataFolder, makeDataFolder, type DataFolder } from '../data-folder.ts';
import { makeEphemeralFolder } from '../page/ephemeral-folder.ts';
import { setApplicationMenu } from './application-menu.ts';
import { denyNavigation, denyPermissions, openLabWindow } from './lab-window.ts';
import { readLaunchWords } from './launch-words.ts';
import { becomeOnlyHost, offerOtherFolder } from './open-host.ts';
import { declarePageScheme, servePageScheme } from './page-protocol.ts';
import { handOverPorts } from './port-handover.ts';
import { guardQuitting } from './quit.ts';
import { windowService } from './window-service.ts';

/** The desktop host: Electron's part is thin, everything else is the runtime that every host has. */
function start(): void {
  const { dataDir, ephemeral } = readLaunchWords(process.argv.slice(app.isPackaged ? 1 : 2));
  const folder = findDataFolder(ephemeral ? makeEphemeralFolder() : dataDir);
  makeDataFolder(folder);
  // One instance for each data folder: the lock goes with this path.
  const profile = join(folder.root, 'window');
  mkdirSync(profile, { recursive: true, mode: 0o700 });
  app.setPath('userData', profile);
  if (!app.requestSingleInstanceLock()) return app.exit(0);
  app.enableSandbox();
  declarePageScheme();
  denyNavigation();
  void app.whenReady().then(() => open(folder, ephemeral).catch(offerOtherFolder));
}

async function open(folder: DataFolder, ephemeral: boolean): Promise<void> {
  denyPermissions(session.defaultSession);
  servePageScheme(builtFile('renderer'));
  const host = await becomeOnlyHost(folder, ephemeral);
  const windowOf = () => BrowserWindow.getAllWindows().at(0) ?? null;
  const { service, giveCommand } = windowService(host.service, windowOf);
  handOverPorts(() => windowOf()?.webContents ?? null, service);
  const guardWindow = guardQuitting({ activeRuns: () => host.activeRuns(), end: () => host.abandon() }, windowOf);
  const show = (): void => {
    const window = windowOf();
    if (window === null) return guardWindow(openLabWindow(join(folder.root, 'window.json')));
    if (window.isMinimized()) window.restore();
    window.focus();
  };
  setApplicationMenu((command) => {
    // On a Mac the menu outlives the window.
    if (windowOf() === null) show();
    giveCommand(command);
  });
  app.on('second-instance', show);
  app.on('activate', show);
  // Without a listener the app would quit by itself; where it does, the window's closing has asked before.
  app.on('window-all-closed', () => undefined);
  show();
}

try {
  start();
} catch (error) {
  const { message, next } = asLabError(error);
  dialog.showErrorBox('The lab cannot be opened', `${message}\n\n${next}`.trimEnd());
  app.exit(1);
}
