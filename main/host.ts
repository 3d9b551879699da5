import { localClient, type ClientService } from '../runtime/contract/index.ts';
import type { SecretBox } from '../runtime/platform/index.ts';
import type { FolderLock } from '../runtime/store/index.ts';
import { placeSocket, serveControl, type ControlServer } from './control-socket.ts';
import type { DataFolder } from './data-folder.ts';
import { clearHostRecord, writeHostRecord } from './host-record.ts';
import { commandHost, type HostKind } from './lab-info.ts';
import type { LabSession } from './lab-session.ts';
import { openLocalLab, type LocalLab } from './local-lab.ts';

/** The session of the folder's host, with what it serves to others: to commands already, to a page or window if asked. */
export interface HostSession extends LabSession {
  readonly service: ClientService;
  /** Runs that have a living process here. */
  activeRuns(): number;
}

/** Opens the lab as the holder of the folder's lock, and serves it to other processes until the session is closed. */
export async function becomeHost(
  folder: DataFolder,
  lock: FolderLock,
  say: (line: string) => void,
  kind: HostKind = commandHost,
  box?: SecretBox,
): Promise<HostSession> {
  let lab: LocalLab | null = null;
  let control: ControlServer | null = null;
  let ending: Promise<void> | null = null;

  async function end(): Promise<void> {
    control?.stopListening();
    try {
      await lab?.close();
    } finally {
      control?.close();
      clearHostRecord(folder);
      lock.release();
    }
  }

  try {
    clearHostRecord(folder);
    const socket = placeSocket(folder);
    // Before anything else, so that who comes meanwhile can be told who holds the folder.
    writeHostRecord(folder, { pid: process.pid, since: Date.now(), socket });
    const opened = (lab = await openLocalLab(folder, kind, box));
    const serving = (control = await serveControl(socket, opened));
    return {
      role: 'host',
      service: opened,
      activeRuns: () => opened.activeRuns(),
      client: localClient(opened),
      async close() {
        if (ending === null) await othersDone(opened, serving, say);
        await (ending ??= end());
      },
      abandon: () => (ending ??= end()),
    };
  } catch (error) {
    await end().catch(() => {
      // Why it could not open says more than what could not be closed after that.
    });
    throw error;
  }
}

/** Resolves when nothing of others is left here: no connection, and no run that one of them started. */
async function othersDone(lab: LocalLab, control: ControlServer, say: (line: string) => void): Promise<void> {
  let said = false;
  while (control.connections > 0 || lab.activeRuns() > 0) {
    if (!said) say('staying: other commands use this host, or runs live in it (Ctrl-C ends them as interrupted)');
    said = true;
    if (control.connections > 0) await new Promise<void>((resolve) => control.onIdle(resolve));
    else await lab.runsAtRest();
  }
}
