import { once } from 'node:events';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import type { DesktopEnd, DesktopHost, DesktopOrder, DialogAnswer } from './desktop-host.ts';

type Options = Record<string, unknown>;
/** Put into the host's own process: dialogs that wait for the test. */
interface TestDialogs {
  open: { options: Options; answer: (given: unknown) => void }[];
}
type WithDialogs = typeof globalThis & { testDialogs?: TestDialogs };

/** The built host in Electron itself, through Playwright. */
export class RealDesktop implements DesktopHost {
  readonly electron = 'real';
  readonly pid: number;
  readonly ended: Promise<DesktopEnd>;
  readonly #app: ElectronApplication;

  private constructor(app: ElectronApplication) {
    this.#app = app;
    const child = app.process();
    this.pid = child.pid ?? 0;
    this.ended = once(child, 'exit').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
    }));
  }

  static async start(executablePath: string, root: string, order: DesktopOrder): Promise<RealDesktop> {
    const { dataDir, words = [], env = {} } = order;
    const app = await _electron.launch({
      executablePath,
      args: [root, ...(dataDir === null ? [] : ['--data-dir', dataDir]), ...words],
      env: { ...(process.env as Record<string, string>), ...(env as Record<string, string>) },
    });
    await app.evaluate(({ dialog }) => {
      const dialogs: TestDialogs = { open: [] };
      (globalThis as WithDialogs).testDialogs = dialogs;
      const ask = (...given: unknown[]): Promise<never> =>
        new Promise((resolve) => {
          dialogs.open.push({ options: given.at(-1) as Options, answer: resolve as (given: unknown) => void });
        });
      Object.assign(dialog, { showMessageBox: ask, showOpenDialog: ask, showSaveDialog: ask });
    });
    return new RealDesktop(app);
  }

  window(): Promise<Page> {
    return this.#app.firstWindow();
  }

  async menu(id: string): Promise<void> {
    await this.#app.evaluate(({ Menu }, chosen) => {
      const item = Menu.getApplicationMenu()?.getMenuItemById(chosen);
      if (item == null) throw new Error(`the menu has no item ${chosen}`);
      (item.click as () => void)();
    }, id);
  }

  async answerDialog(answer: DialogAnswer): Promise<Options> {
    for (;;) {
      const options = await this.#app.evaluate((_electron, given) => {
        const dialog = (globalThis as WithDialogs).testDialogs?.open.shift();
        dialog?.answer({ canceled: false, filePaths: [], filePath: '', ...given });
        return dialog?.options ?? null;
      }, answer);
      if (options !== null) return options;
      await new Promise((go) => setTimeout(go, 50));
    }
  }

  async quit(): Promise<void> {
    await this.#app.evaluate(({ app }) => app.quit());
  }

  signal(signal: NodeJS.Signals): void {
    this.#app.process().kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#app.process();
    if (child.exitCode === null) child.kill('SIGTERM');
    await this.ended;
  }
}
