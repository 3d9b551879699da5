import { test as base, expect, type Page } from '@playwright/test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LabPage } from '../support/lab-page.ts';

export type HostKind = 'loopback' | 'desktop';

interface LabFixtures {
  readonly host: HostKind;
  /** The data folder of this test's lab. */
  readonly dataDir: string;
  /** The page of a lab of its own, open and connected. */
  readonly lab: Page;
}

export const test = base.extend<LabFixtures>({
  host: ['loopback', { option: true }],
  // eslint-disable-next-line no-empty-pattern
  async dataDir({}, use) {
    const folder = mkdtempSync(join(tmpdir(), 'lab-page-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  async lab({ dataDir, page }, use) {
    await using lab = await LabPage.start(['--data-dir', dataDir]);
    await openPage(page, lab.said.url);
    await use(page);
  },
});

export { expect };

/** Opens the lab's address and waits until it is live. What the page throws or refuses to load fails the test. */
export async function openPage(page: Page, url: string): Promise<void> {
  page.on('pageerror', (error) => {
    throw error;
  });
  await page.goto(url);
  await expect(page.getByRole('contentinfo').getByRole('status')).toHaveText(/connected$/);
}
