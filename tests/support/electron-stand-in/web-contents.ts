import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { CDPSession, Page } from '@playwright/test';
import { app } from './app.ts';
import { openPage, type PageOwner } from './browser.ts';
import { tell } from './control.ts';
import { ipcMain } from './ipc-main.ts';
import { LoadedFrame } from './loaded-frame.ts';
import { toBrowser } from './page-address.ts';
import { preloadScript, sendName, worldName, type FromWorld } from './preload-world.ts';
import { wish } from './wish.ts';

type OpenHandler = (details: { url: string }) => { action: 'allow' | 'deny' };

let idsSoFar = 0;

/** Electron's `webContents` over a page in Chromium. Its page comes a moment later than itself. */
export class WebContents extends EventEmitter {
  readonly id = (idsSoFar += 1);
  readonly #preload: string;
  #page: Page | null = null;
  #devTools: CDPSession | null = null;
  /** By the number of its preload world. */
  readonly #frames = new Map<number, LoadedFrame>();
  #openHandler: OpenHandler = () => ({ action: 'allow' });
  #loading: string | null = null;
  #isDestroyed = false;

  constructor(preload: string) {
    super();
    this.#preload = preloadScript(readFileSync(preload, 'utf8'));
    app.emit('web-contents-created', {}, this);
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler;
  }

  async loadURL(address: string): Promise<void> {
    this.#loading = address;
    const page = (this.#page ??= await this.#open());
    if (this.#isDestroyed) return;
    await page.goto(toBrowser(address), { waitUntil: 'commit' });
    this.emit('did-finish-load');
  }

  /** Also after a crash, which leaves a page that can do nothing any more: then in a new one. */
  reload(): void {
    void this.loadURL(this.#loading ?? '');
  }

  async crash(): Promise<void> {
    // It never answers: it is gone.
    this.#devTools?.send('Page.crash').catch(() => undefined);
    await new Promise((resolve) => this.once('render-process-gone', resolve));
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#endFrames();
    void this.#page?.close().catch(() => undefined);
  }

  async #open(): Promise<Page> {
    const { page } = await openPage((opened) => this.#ownerOf(opened));
    const devTools = (this.#devTools = await page.context().newCDPSession(page));
    devTools.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name === worldName) this.#frames.set(context.id, new LoadedFrame(devTools, context));
    });
    devTools.on('Runtime.executionContextDestroyed', ({ executionContextId }) => this.#endFrame(executionContextId));
    devTools.on('Runtime.executionContextsCleared', () => this.#endFrames());
    devTools.on('Runtime.bindingCalled', ({ executionContextId, payload }) => {
      const frame = this.#frames.get(executionContextId);
      if (frame !== undefined) this.#hear(frame, JSON.parse(payload) as FromWorld);
    });
    devTools.on('Target.targetCreated', ({ targetInfo: { targetId, openerId, url } }) => {
      if (openerId !== undefined) this.#judgeWindow(devTools, targetId, url);
    });
    await devTools.send('Target.setDiscoverTargets', { discover: true });
    await devTools.send('Runtime.enable');
    await devTools.send('Runtime.addBinding', { name: sendName, executionContextName: worldName });
    await devTools.send('Page.enable');
    await devTools.send('Page.addScriptToEvaluateOnNewDocument', { source: this.#preload, worldName });
    page.on('crash', () => this.#crashed(page));
    return page;
  }

  #ownerOf(page: Page): PageOwner {
    return {
      page,
      mayNavigate: (address, isMainFrame) => {
        // A load or reload of the page that the host wants to see is nothing the page does.
        if (isMainFrame && address === this.#loading) return true;
        const event = wish({ url: address, isMainFrame });
        if (isMainFrame) this.emit('will-navigate', event, address);
        this.emit('will-frame-navigate', event);
        return !event.isRefused;
      },
    };
  }

  /** Electron asks before there is a window, Chromium shows one that can be closed again; it loads nothing in between. */
  #judgeWindow(devTools: CDPSession, targetId: string, url: string): void {
    const { action } = this.#openHandler({ url });
    tell({ tag: 'told', what: 'page-opened-a-window', value: action });
    if (action === 'deny') void devTools.send('Target.closeTarget', { targetId }).catch(() => undefined);
  }

  #hear(frame: LoadedFrame, heard: FromWorld): void {
    if (heard.tag !== 'ipc') frame.hear(heard);
    else ipcMain.emit(heard.channel, { sender: this, senderFrame: frame, ports: [] }, ...heard.args);
  }

  #crashed(page: Page): void {
    this.#endFrames();
    this.#page = null;
    void page.close().catch(() => undefined);
    this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 139 });
  }

  #endFrame(world: number): void {
    this.#frames.get(world)?.end();
    this.#frames.delete(world);
  }

  #endFrames(): void {
    for (const world of [...this.#frames.keys()]) this.#endFrame(world);
  }
}
