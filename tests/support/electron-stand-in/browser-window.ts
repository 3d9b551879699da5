import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions, Rectangle } from 'electron';
import { app } from './app.ts';
import { tell } from './control.ts';
import { WebContents } from './web-contents.ts';
import { wish } from './wish.ts';

const windows = new Set<BrowserWindow>();

/** Electron's window over a page in Chromium. Where it stands is only written down: nobody sees it. */
export class BrowserWindow extends EventEmitter {
  readonly webContents: WebContents;
  readonly options: BrowserWindowConstructorOptions;
  #bounds: Rectangle;
  #isMaximised = false;
  #isDestroyed = false;

  constructor(options: BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.#bounds = { x, y, width, height };
    this.webContents = new WebContents(options.webPreferences?.preload ?? '');
    this.webContents.once('did-finish-load', () => this.emit('ready-to-show'));
    windows.add(this);
  }

  static getAllWindows(): BrowserWindow[] {
    return [...windows];
  }

  loadURL(address: string): Promise<void> {
    return this.webContents.loadURL(address);
  }

  getNormalBounds(): Rectangle {
    return this.#bounds;
  }

  setBounds(bounds: Rectangle): void {
    this.#bounds = bounds;
    this.emit('resize');
  }

  maximize(): void {
    this.#isMaximised = true;
    this.emit('resize');
  }

  isMaximized(): boolean {
    return this.#isMaximised;
  }

  isMinimized(): boolean {
    return false;
  }

  isFullScreen(): boolean {
    return false;
  }

  restore(): void {
    this.#isMaximised = false;
  }

  show(): void {
    tell({ tag: 'told', what: 'shown', value: null });
  }

  focus(): void {
    tell({ tag: 'told', what: 'focused', value: null });
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  /** Gives whether it closed: a listener may object. */
  close(): boolean {
    const event = wish();
    this.emit('close', event);
    if (event.isRefused) return false;
    this.destroy();
    return true;
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    windows.delete(this);
    this.webContents.destroy();
    this.emit('closed');
    if (windows.size > 0) return;
    if (app.listenerCount('window-all-closed') === 0) app.quit();
    else app.emit('window-all-closed');
  }
}

app.closeWindows = () => [...windows].every((window) => window.close());
app.destroyWindows = () => {
  for (const window of windows) window.destroy();
};
