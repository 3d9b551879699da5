import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import type { DesktopEnd, DesktopHost, DesktopOrder, DialogAnswer } from './desktop-host.ts';
import type { Happening } from './electron-stand-in/control.ts';

type Told = Extract<Happening, { tag: 'told' }>;
type Asked = Extract<Happening, { tag: 'dialog' }>;

const settleMs = 20_000;

/** The unchanged built host on the stand-in for Electron: a Node process, with Chromium for its window. */
export class StandInDesktop implements DesktopHost {
  readonly electron = 'stand-in';
  readonly pid: number;
  readonly ended: Promise<DesktopEnd>;
  /** What it did that a person would see. */
  readonly told: Told[] = [];
  readonly #child: ChildProcess;
  readonly #answers = new Map<string, PromiseWithResolvers<unknown>>();
  readonly #dialogs: Asked[] = [];
  readonly #ready = Promise.withResolvers<string>();
  #wake = Promise.withResolvers<undefined>();
  readonly #crashed = new WeakSet<Page>();
  #browser: Browser | null = null;
  #stderr = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.pid = child.pid ?? 0;
    this.ended = once(child, 'exit').then(([code, signal]) => {
      const end = { code: code as number | null, signal: signal as NodeJS.Signals | null };
      const gone = new Error(`the desktop host ended with ${end.code ?? end.signal}: ${this.#stderr}`);
      this.#ready.reject(gone);
      for (const { reject } of this.#answers.values()) reject(gone);
      return end;
    });
    this.#ready.promise.catch(() => undefined);
    child.stderr?.on('data', (part) => (this.#stderr += String(part)));
    child.on('message', (happening: Happening) => this.#take(happening));
  }

  static start(root: string, { dataDir, words = [], env = {} }: DesktopOrder): StandInDesktop {
    const register = new URL('./electron-stand-in/register.ts', import.meta.url).href;
    const program = join(root, 'out/main/desktop.js');
    const folder = dataDir === null ? [] : ['--data-dir', dataDir];
    const child = spawn(process.execPath, ['--import', register, program, ...folder, ...words], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    return new StandInDesktop(child);
  }

  get stderr(): string {
    return this.#stderr;
  }

  async window(): Promise<Page> {
    this.#browser ??= await chromium.connectOverCDP(await this.#ready.promise);
    const isLab = (page: Page): boolean =>
      page.url().startsWith('https://lab.app.test/') && !page.isClosed() && !this.#crashed.has(page);
    for (const until = Date.now() + settleMs; Date.now() < until; await new Promise((go) => setTimeout(go, 50))) {
      const found = this.#browser.contexts().flatMap((context) => context.pages().filter(isLab))[0];
      if (found !== undefined) return found.on('crash', (page) => this.#crashed.add(page));
    }
    throw new Error(`the desktop host has shown no window: ${this.#stderr}`);
  }

  async menu(id: string): Promise<void> {
    await this.ask('menu', id);
  }

  async answerDialog(answer: DialogAnswer): Promise<Record<string, unknown>> {
    const dialog = await this.nextDialog();
    const usual = dialog.kind === 'message' ? {} : { canceled: false, filePaths: [], filePath: '' };
    await this.ask('answer-dialog', { id: dialog.id, answer: { ...usual, ...answer } });
    return dialog.options as Record<string, unknown>;
  }

  /** Takes the oldest dialog that is open, or waits for one. It stays open until it is answered. */
  async nextDialog(): Promise<Asked> {
    for (;;) {
      const dialog = this.#dialogs.shift();
      if (dialog !== undefined) return dialog;
      await Promise.race([this.#wake.promise, this.#refuseEnd()]);
    }
  }

  /** Resolves once it did that. */
  async toldOf(what: string): Promise<Told> {
    for (;;) {
      const found = this.told.find((one) => one.what === what);
      if (found !== undefined) return found;
      await Promise.race([this.#wake.promise, this.#refuseEnd()]);
    }
  }

  async quit(): Promise<void> {
    await this.ask('quit', null).catch((error: unknown) => {
      if (this.#child.exitCode === null) throw error;
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** What only the stand-in can be asked for: `electron-stand-in/commands.ts`. */
  async ask(ask: string, given: unknown): Promise<unknown> {
    const id = randomUUID();
    const answer = Promise.withResolvers<unknown>();
    this.#answers.set(id, answer);
    this.#child.send({ id, ask, with: given }, (error) => {
      if (error !== null) answer.reject(error);
    });
    return answer.promise.finally(() => this.#answers.delete(id));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser?.close().catch(() => undefined);
    // Its own end takes Chromium with it.
    if (this.#child.exitCode === null) this.signal('SIGTERM');
    await this.ended;
  }

  async #refuseEnd(): Promise<never> {
    const { code, signal } = await this.ended;
    throw new Error(`the desktop host ended with ${code ?? signal} instead: ${this.#stderr}`);
  }

  #take(happening: Happening): void {
    if (happening.tag === 'ready') this.#ready.resolve(happening.endpoint);
    else if (happening.tag === 'answer') this.#settle(happening);
    else {
      if (happening.tag === 'dialog') this.#dialogs.push(happening);
      else this.told.push(happening);
      this.#wake.resolve(undefined);
      this.#wake = Promise.withResolvers<undefined>();
    }
  }

  #settle({ id, value, problem }: Extract<Happening, { tag: 'answer' }>): void {
    const answer = this.#answers.get(id);
    if (problem === null) answer?.resolve(value);
    else answer?.reject(new Error(problem));
  }
}
