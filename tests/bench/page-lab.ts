import { chromium, type Page } from '@playwright/test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '../../build/setup/chromium.mjs';
import type { LabClient } from '../../runtime/contract/index.ts';
import { LabPage } from '../support/lab-page.ts';
import type { RelayFolder } from '../support/relay-folder.ts';

export interface PageLab extends AsyncDisposable {
  readonly page: Page;
  readonly client: LabClient;
  start(relay: RelayFolder, input: object, crashPlan?: readonly string[]): Promise<string>;
  /** Recovers a run until it has had three attempts, each killed at the point. */
  recoverTwice(run: string, point: string): Promise<void>;
  show(hash: string): Promise<void>;
  /** Turns the wheel over the element of that role, a turn a frame. */
  wheel(role: 'grid' | 'listbox', turns: number, pixels: number): Promise<void>;
  firstUsefulPaintMs(): Promise<number>;
  /** Times from each event's commit to the frame that shows it, until so many operations are done. */
  eventLags(run: string, operations: number): Promise<{ ms: number[]; perSecond: number }>;
  /** From a key press in the search field to the frame that shows it. */
  keyToFrameMs(): Promise<number>;
}

/** The built host and the page that it serves, on a data folder of its own. */
export async function openPageLab(): Promise<PageLab> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('no Chromium was found: node build/setup/chromium.mjs installs one');
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-page-'));
  const host = await LabPage.start(['--data-dir', dataDir]);
  const client = await host.client();
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(host.said.url);
  await page.getByRole('button', { name: 'Play complete' }).waitFor();

  return {
    page,
    client,
    async start(relay, input, crashPlan = []) {
      const order = { folder: relay.path, input: JSON.stringify(input), id: null, recovery: 'off' } as const;
      return (await client.call('run/start', { ...order, crashPlan: [...crashPlan] })).id;
    },
    async recoverTwice(run, point) {
      for (let again = 0; again < 2; again += 1) {
        const { run: at } = await client.call('run/settled', { run });
        await client.call('run/recover', { run, revision: at.revision, crashPlan: [point], recovery: null });
      }
      await client.call('run/settled', { run });
    },
    async show(hash) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await page.getByRole('region', { name: /^Run / }).waitFor();
      await page.getByText(/^Reading the run/).waitFor({ state: 'hidden' });
    },
    async wheel(role, turns, pixels) {
      const box = await page.getByRole(role).first().boundingBox();
      if (box === null) throw new Error(`there is no ${role} to scroll`);
      await page.mouse.move(box.x + box.width / 2, box.y + Math.min(box.height / 2, 200));
      for (let turn = 0; turn < turns; turn += 1) {
        await page.mouse.wheel(0, turn % 20 < 15 ? pixels : -pixels);
        await page.evaluate('new Promise(requestAnimationFrame)');
      }
    },
    async firstUsefulPaintMs() {
      const fresh = await browser.newContext();
      try {
        const other = await fresh.newPage();
        await other.addInitScript(`new MutationObserver((_, self) => {
          if (!document.body?.innerText.includes('crash-after-checkpoint')) return;
          self.disconnect();
          requestAnimationFrame(() => requestAnimationFrame((now) => (window.benchPaint = now)));
        }).observe(document, { childList: true, subtree: true })`);
        await other.goto(host.said.url);
        await other.waitForFunction('window.benchPaint !== undefined');
        return await other.evaluate('window.benchPaint');
      } finally {
        await fresh.close();
      }
    },
    async eventLags(run, operations) {
      const at = new Map<number, number>();
      const stop = client.follow('run/events', { run, after: 0 }, (events) => {
        for (const one of events) at.set(one.sequence, one.at);
      });
      await page.evaluate(`location.hash = '#/run/${run}?tab=events'`);
      await page.getByRole('list', { name: 'Events of the run' }).waitFor();
      // The last number that the page says it has, each time that it changes, with the time of the frame after.
      const since: number = await page.evaluate(`(() => {
        const shown = (window.benchShown = []);
        let seen = 0;
        const look = () => {
          const last = Number(/–#(\\d+)/.exec(document.querySelector('[aria-label="Events"] [role="status"]')?.textContent ?? '')?.[1] ?? 0);
          if (last > seen) shown.push({ last: (seen = last), at: performance.timeOrigin + performance.now() });
          requestAnimationFrame(look);
        };
        look();
        return performance.timeOrigin + performance.now();
      })()`);
      await client.call('run/settled', { run });
      await page.waitForFunction(`(window.benchShown.at(-1)?.last ?? 0) >= ${operations}`);
      const shown: { last: number; at: number }[] = await page.evaluate('window.benchShown');
      stop();
      const ms: number[] = [];
      for (const [place, { last, at: shownAt }] of shown.entries()) {
        const before = shown[place - 1]?.last;
        // What was committed before the view stood says how fast it opens, not how fast events come.
        if (before === undefined) continue;
        for (let sequence = before + 1; sequence <= last; sequence += 1) {
          const committed = at.get(sequence);
          if (committed !== undefined && committed >= since) ms.push(shownAt - committed);
        }
      }
      const times = [...at.values()];
      return { ms, perSecond: (times.length * 1000) / (Math.max(...times) - Math.min(...times)) };
    },
    async keyToFrameMs() {
      return page.evaluate(`new Promise((resolve) => {
        const field = document.querySelector('input[type="search"]');
        const from = performance.now();
        const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
        set.call(field, field.value === '' ? 'x' : '');
        field.dispatchEvent(new Event('input', { bubbles: true }));
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - from), 0));
      })`);
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await client.close();
      await host[Symbol.asyncDispose]();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
