import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page, type Route } from '@playwright/test';
import { findChromium } from '../../../build/setup/chromium.mjs';
import { toHost } from './page-address.ts';
import { answerAddress } from './protocol.ts';

/** What a window decides about its page. */
export interface PageOwner {
  readonly page: Page;
  /** Whether the page may go there by itself; its own loads are not asked for. */
  mayNavigate(address: string, isMainFrame: boolean): boolean;
}

const owners = new Set<PageOwner>();
let context: BrowserContext | null = null;

/** Starts Chromium on that profile; gives the endpoint of its DevTools protocol. */
export async function openBrowser(profile: string): Promise<string> {
  const executablePath = findChromium();
  if (executablePath === null)
    throw new Error('the stand-in for Electron needs Chromium: node build/setup/chromium.mjs');
  const opened = (context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    viewport: null,
    // The host decides what a signal means.
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
    args: [
      ...['--no-sandbox', '--disable-background-networking', '--remote-debugging-port=0', '--window-size=1440,900'],
      // A port tells of its end in Electron always; in Chromium only when asked for.
      '--enable-blink-features=MessagePortCloseEvent',
    ],
  }));
  await opened.route('**/*', (route) => answerRoute(route));
  const [port = ''] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
  return `http://127.0.0.1:${port}`;
}

export async function closeBrowser(): Promise<void> {
  const closing = context?.close().catch(() => undefined);
  const patience = new Promise((resolve) => setTimeout(resolve, 2000));
  await Promise.race([closing, patience]);
}

/** A page of its own for a window. The owner is asked from now on. */
export async function openPage(ownerOf: (page: Page) => PageOwner): Promise<PageOwner> {
  if (context === null) throw new Error('a window was opened before the app was ready');
  const owned = new Set([...owners].map(({ page }) => page));
  const free = context.pages().find((page) => !owned.has(page) && page.url() === 'about:blank');
  const owner = ownerOf(free ?? (await context.newPage()));
  owners.add(owner);
  owner.page.once('close', () => owners.delete(owner));
  return owner;
}

async function answerRoute(route: Route): Promise<void> {
  const request = route.request();
  const address = toHost(request.url());
  try {
    const frame = request.isNavigationRequest() ? request.frame() : null;
    const owner = [...owners].find(({ page }) => page === frame?.page());
    const isMainFrame = frame?.parentFrame() === null;
    if (frame !== null && owner?.mayNavigate(address ?? request.url(), isMainFrame) !== true) {
      return await route.abort('aborted');
    }
    const response = address === null ? null : await answerAddress(address, request.method());
    if (response === null) return await route.abort('blockedbyclient');
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    });
  } catch {
    // A window that is not there yet has no frame to ask for; else the page went while it was answered.
    await route.abort('aborted').catch(() => undefined);
  }
}
