import { EventEmitter } from 'node:events';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeBrowser, openBrowser } from './browser.ts';
import { tell } from './control.ts';
import { wish } from './wish.ts';

/** The signal by which a second instance makes itself known to the first. */
const secondInstance = 'SIGUSR2';

/** Electron's `app`, as far as the desktop host uses it. */
class App extends EventEmitter {
  readonly isPackaged = false;
  /** Closes every window without asking it; set by the windows. */
  destroyWindows = (): void => undefined;
  /** Closes every window that does not object; set by the windows. */
  closeWindows = (): boolean => true;
  readonly #paths = new Map<string, string>();
  #isReady: Promise<void> | null = null;
  #isExiting = false;

  setPath(name: string, path: string): void {
    if (!existsSync(path)) throw new Error(`Failed to set path: ${path} does not exist`);
    this.#paths.set(name, path);
  }

  getPath(name: string): string {
    const path = this.#paths.get(name);
    if (path === undefined) throw new Error(`the stand-in knows no path ${name}`);
    return path;
  }

  enableSandbox(): void {
    // Chromium's windows have no other way here.
  }

  whenReady(): Promise<void> {
    return (this.#isReady ??= openBrowser(join(this.getPath('userData'), 'chromium')).then((endpoint) =>
      tell({ tag: 'ready', endpoint }),
    ));
  }

  requestSingleInstanceLock(): boolean {
    const file = join(this.getPath('userData'), 'stand-in.lock');
    const holder = takeLock(file);
    if (holder !== null) {
      process.kill(holder, secondInstance);
      return false;
    }
    process.on('exit', () => rmSync(file, { force: true }));
    process.on(secondInstance, () => this.emit('second-instance'));
    return true;
  }

  quit(): void {
    const event = wish();
    this.emit('before-quit', event);
    if (event.isRefused || !this.closeWindows()) return;
    this.exit(0);
  }

  exit(code: number): void {
    if (this.#isExiting) return;
    this.#isExiting = true;
    this.destroyWindows();
    this.emit('quit');
    void closeBrowser().then(() => process.exit(code));
  }

  relaunch({ args }: { args: string[] }): void {
    tell({ tag: 'told', what: 'relaunch', value: args });
  }
}

/** Who holds the lock already, or null when it is held now. A holder that died holds nothing. */
function takeLock(file: string): number | null {
  // Linked in whole: a lock that is seen says whose it is.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    for (;;) {
      try {
        linkSync(own, file);
        return null;
      } catch {
        const holder = readHolder(file);
        if (holder !== null) return holder;
        rmSync(file, { force: true });
      }
    }
  } finally {
    rmSync(own, { force: true });
  }
}

function readHolder(file: string): number | null {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    process.kill(pid, 0);
    return pid;
  } catch {
    return null;
  }
}

export const app = new App();
