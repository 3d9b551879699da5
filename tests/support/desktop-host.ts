import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { findElectron, whyNoWindow } from '../../build/setup/electron.mjs';
import { RealDesktop } from './real-desktop.ts';
import { StandInDesktop } from './stand-in-desktop.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface DesktopOrder {
  /** Null when the words say what is kept where. */
  readonly dataDir: string | null;
  /** Words after the program's own, beside the data folder. */
  readonly words?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** What a person answers in a dialog of the system. */
export interface DialogAnswer {
  /** Of a message: the number of the button. */
  readonly response?: number;
  readonly canceled?: boolean;
  readonly filePaths?: readonly string[];
  readonly filePath?: string;
}

export interface DesktopEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The built desktop host in a process of its own, by Electron or by its stand-in. Dispose of it, or it is left running. */
export interface DesktopHost {
  readonly electron: 'real' | 'stand-in';
  readonly pid: number;
  /** The window's page, once it has loaded; another one after a crash. */
  window(): Promise<Page>;
  /** Chooses an item of the native menu by the id of its command. */
  menu(id: string): Promise<void>;
  /** Answers the dialog that is open or the next to come; gives the options that it was opened with. */
  answerDialog(answer: DialogAnswer): Promise<Record<string, unknown>>;
  /** As Cmd-Q or the menu does. Whether it ends is for the host to say. */
  quit(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  readonly ended: Promise<DesktopEnd>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts the desktop host, and waits for the window. Says on stderr which of the two it is. */
export async function launchDesktop(order: DesktopOrder): Promise<DesktopHost & { readonly page: Page }> {
  const host = await startDesktop(order);
  return Object.assign(host, { page: await host.window() });
}

/** Starts the desktop host, which may show a dialog before it has a window. */
export async function startDesktop(order: DesktopOrder): Promise<DesktopHost> {
  const { platform, env } = process;
  const cannotShow = whyNoWindow({ platform, env, isRoot: process.getuid?.() === 0 }) !== null;
  const program = cannotShow ? null : findElectron(root);
  const host = program === null ? StandInDesktop.start(root, order) : await RealDesktop.start(program, root, order);
  process.stderr.write(`desktop host: ${host.electron === 'real' ? 'Electron' : 'stand-in for Electron'}\n`);
  return host;
}
