import type { Page } from '@playwright/test';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from './lab-fixture.ts';

/** Pictures of every view, kept with the results of the tests for a person to look at; README shows some of them. */
const folder = fileURLToPath(new URL('../../test-results/screens', import.meta.url));
const tabs = ['Timeline', 'Operations', 'Two ledgers', 'Graph', 'Trace', 'Events', 'Files'];

for (const theme of ['light', 'dark'] as const) {
  for (const width of [900, 1440]) {
    test.describe(`${width} px`, () => {
      // Before the page is opened: a click while the layout changes may meet nothing.
      test.use({ viewport: { width, height: 900 } });
      test(`screens, ${theme}`, async ({ lab, host }) => {
        test.skip(host === 'desktop', 'the same page: pictures of one host are enough');
        const shoot = (name: string): Promise<Buffer> =>
          lab.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) });
        await lab.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        await expect(lab.locator('html')).toHaveAttribute('data-theme', theme);
        await shoot('welcome');
        await lab.getByRole('button', { name: 'Start and crash it yourself' }).click();
        const run = lab.getByRole('region', { name: /^Run / });
        await expect(run.getByText(/interrupted$/).first()).toBeVisible();
        await shoot('interrupted');
        await run.getByRole('button', { name: /Recover same run/ }).click();
        await expect(run.getByText(/succeeded$/).first()).toBeVisible();
        for (const tab of tabs) {
          await run.getByRole('tab', { name: tab }).click();
          await expect(run.getByRole('tabpanel')).toBeVisible();
          await expect(run.getByText(/^Reading /)).toBeHidden();
          await shoot(tab.toLowerCase().replace(' ', '-'));
        }
        await expectNoOverflow(lab);
      });
    });
  }
}

/** Nothing reaches over the edge of the window. */
async function expectNoOverflow(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
}
