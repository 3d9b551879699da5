import { localClient } from '../runtime/contract/index.ts';
import type { FolderLock } from '../runtime/store/index.ts';
import { placeSocket, serveControl } from './control-socket.ts';
import type { DataFolder } from './data-folder.ts';
import { clearHostRecord, writeHostRecord } from './host-record.ts';
import type { LabSession } from './lab-session.ts';
import { openLocalLab } from './local-lab.ts';

/** Opens the lab as the holder of the folder's lock, and serves it to other processes until the session is closed. */
export async function becomeHost(
  folder: DataFolder,
  lock: FolderLock,
  say: (line: string) => void,
): Promise<LabSession> {
  try {
    clearHostRecord(folder);
    const socket = placeSocket(folder);
    const since = Date.now();
    // Before anything else, so that who comes meanwhile can be told who holds the folder.
    writeHostRecord(folder, { pid: process.pid, since, socket });
    const lab = await openLocalLab(folder);
    const control = await serveControl(socket, lab);
    let ending: Promise<void> | null = null;

    const end = async (): Promise<void> => {
      control.stopListening();
      await lab.close();
      control.close();
      clearHostRecord(folder);
      lock.release();
    };
    /** Others' work here: open connections, and the runs that they started. */
    const othersDone = async (): Promise<void> => {
      let said = false;
      while (control.connections > 0 || lab.activeRuns() > 0) {
        if (!said) say('staying: other commands use this host, or runs live in it (Ctrl-C ends them as interrupted)');
        said = true;
        if (control.connections > 0) await new Promise<void>((resolve) => control.onIdle(resolve));
        else await lab.runsAtRest();
      }
    };
    return {
      role: 'host',
      client: localClient(lab),
      async close() {
        if (ending === null) await othersDone();
        await (ending ??= end());
      },
      abandon: () => (ending ??= end()),
    };
  } catch (error) {
    clearHostRecord(folder);
    lock.release();
    throw error;
  }
}
