import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { app, BrowserWindow, dialog, session } from 'electron';
import { asLabError, LabError } from '../../runtime/core/index.ts';
import { lockFolder } from '../../runtime/store/index.ts';
import { builtProgram } from '../built-program.ts';
import { findDataFolder, makeDataFolder, type DataFolder } from '../data-folder.ts';
import { becomeHost, type HostSession } from '../host.ts';
import { describeHolder, readHostRecord } from '../host-record.ts';
import { setApplicationMenu } from './application-menu.ts';
import { denyNavigation, denyPermissions, openLabWindow } from './lab-window.ts';
import { declarePageScheme, servePageScheme } from './page-protocol.ts';
import { handOverPorts } from './port-handover.ts';
import { guardQuitting } from './quit.ts';
import { windowService } from './window-service.ts';

/** The desktop host: Electron's part is thin, everything else is the runtime that every host has. */
function start(): void {
  const folder = dataFolder();
  makeDataFolder(folder);
  // One instance for each data folder: the lock goes with this path.
  app.setPath('userData', join(folder.root, 'window'));
  if (!app.requestSingleInstanceLock()) return app.exit(0);
  app.enableSandbox();
  declarePageScheme();
  denyNavigation();
  void app.whenReady().then(() => open(folder).catch((error: unknown) => giveUp(error)));
}

async function open(folder: DataFolder): Promise<void> {
  denyPermissions(session.defaultSession);
  servePageScheme(builtProgram(join('..', 'renderer')));
  const host = await becomeOnlyHost(folder);
  const windowOf = (): BrowserWindow | null => BrowserWindow.getAllWindows()[0] ?? null;
  const { service, giveCommand } = windowService(host.service, windowOf);
  handOverPorts(() => windowOf()?.webContents ?? null, service);
  setApplicationMenu(giveCommand);
  const guardWindow = guardQuitting({ activeRuns: host.activeRuns, end: () => host.abandon() }, windowOf);
  const show = (): void => {
    const window = windowOf();
    if (window === null) return guardWindow(openLabWindow(join(folder.root, 'window.json')));
    if (window.isMinimized()) window.restore();
    window.focus();
  };
  app.on('second-instance', show);
  app.on('activate', show);
  // Without a listener the app would quit by itself; where it does, the window's closing has asked before.
  app.on('window-all-closed', () => undefined);
  show();
}

function dataFolder(): DataFolder {
  const { values } = parseArgs({
    args: process.argv.slice(app.isPackaged ? 1 : 2),
    options: { 'data-dir': { type: 'string' } },
    strict: false,
  });
  const asked = values['data-dir'];
  return findDataFolder(typeof asked === 'string' ? asked : null);
}

/** Throws `locked` naming who holds the folder. */
async function becomeOnlyHost(folder: DataFolder): Promise<HostSession> {
  const lock = lockFolder(folder.lock);
  if (lock !== null) {
    return becomeHost(folder, lock, (line) => console.error(line), { host: 'desktop', ephemeral: false });
  }
  const holder = describeHolder(readHostRecord(folder));
  throw new LabError(
    'locked',
    `the data folder ${folder.root} is held by ${holder}`,
    'End it, or choose another folder.',
  );
}

/** The lab cannot be opened: says why, and offers another data folder, which begins the app anew. */
async function giveUp(thrown: unknown): Promise<void> {
  const { message, next } = asLabError(thrown);
  const { response } = await dialog.showMessageBox({
    type: 'error',
    message: 'The lab cannot be opened',
    detail: `${message}\n\n${next}`.trimEnd(),
    buttons: ['Quit', 'Choose another data folder…'],
    cancelId: 0,
  });
  if (response === 1) {
    const { filePaths } = await dialog.showOpenDialog({ properties: ['openDirectory', 'createDirectory'] });
    if (filePaths[0] !== undefined) {
      const kept = process.argv
        .slice(1)
        .filter((word, at, words) => word !== '--data-dir' && words[at - 1] !== '--data-dir');
      app.relaunch({ args: [...kept, '--data-dir', filePaths[0]] });
    }
  }
  app.exit(1);
}

try {
  start();
} catch (error) {
  console.error(asLabError(error).message);
  app.exit(1);
}
