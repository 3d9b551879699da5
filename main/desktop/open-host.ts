import { app, dialog } from 'electron';
import { asLabError, LabError } from '../../runtime/core/index.ts';
import { lockFolder } from '../../runtime/store/index.ts';
import type { DataFolder } from '../data-folder.ts';
import type { HostSession } from '../host.ts';
import { describeHolder, readHostRecord } from '../host-record.ts';
import { withDataDir } from './launch-words.ts';
import { systemBox } from './system-box.ts';

/** Becomes the host of the folder. Throws `locked` naming who holds it, and whatever keeps a lab from opening. */
export async function becomeOnlyHost(folder: DataFolder, ephemeral: boolean): Promise<HostSession> {
  const lock = lockFolder(folder.lock);
  if (lock === null) {
    const holder = describeHolder(readHostRecord(folder));
    const message = `the data folder ${folder.root} is held by ${holder}`;
    throw new LabError('locked', message, 'End that host, or choose another folder.');
  }
  const { becomeHost } = await import('../host.ts');
  return becomeHost(folder, lock, (line) => console.error(line), { host: 'desktop', ephemeral }, await systemBox());
}

/** The lab cannot be opened: says why, and offers another data folder, with which the app begins anew. */
export async function offerOtherFolder(thrown: unknown): Promise<void> {
  const { message, next } = asLabError(thrown);
  const { response } = await dialog.showMessageBox({
    type: 'error',
    message: 'The lab cannot be opened',
    detail: `${message}\n\n${next}`.trimEnd(),
    buttons: ['Quit', 'Choose another data folder…'],
    defaultId: 0,
    cancelId: 0,
  });
  const folder = response === 1 ? await chooseDataFolder() : null;
  if (folder !== null) app.relaunch({ args: withDataDir(process.argv.slice(1), folder) });
  app.exit(folder === null ? 1 : 0);
}

async function chooseDataFolder(): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog({
    title: 'Choose a data folder',
    properties: ['openDirectory', 'createDirectory'],
  });
  return canceled ? null : (filePaths[0] ?? null);
}
