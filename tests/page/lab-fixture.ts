import { test as base, expect, type Page } from '@playwright/test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchDesktop } from '../support/desktop-host.ts';
import { LabPage } from '../support/lab-page.ts';

type HostKind = 'loopback' | 'desktop';

export interface HostOption {
  readonly host: HostKind;
}

interface LabFixtures extends HostOption {
  /** The data folder of this test's lab. */
  readonly dataDir: string;
  /** The page of a lab of its own, open and connected. */
  readonly lab: Page;
}

export const test = base.extend<LabFixtures>({
  host: ['loopback', { option: true }],
  async dataDir({}, use) {
    const folder = mkdtempSync(join(tmpdir(), 'lab-page-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  async lab({ host, dataDir, page }, use) {
    if (host === 'desktop') {
      await using desktop = await launchDesktop({ dataDir });
      await untilLive(desktop.page);
      await use(desktop.page);
      return;
    }
    await using lab = await LabPage.start(['--data-dir', dataDir]);
    await page.goto(lab.said.url);
    await untilLive(page);
    await use(page);
  },
});

export { expect };

/** Waits until the page has its host. What it throws fails the test. */
async function untilLive(page: Page): Promise<void> {
  page.on('pageerror', (error) => {
    throw error;
  });
  await expect(page.getByRole('contentinfo').getByRole('status')).toHaveText(/connected$/);
}

/** As a person does who follows an address within the page. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}
