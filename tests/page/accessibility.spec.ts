import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, goTo, test } from './lab-fixture.ts';

const tabs = ['Timeline', 'Operations', 'Two ledgers', 'Graph', 'Trace', 'Events', 'Files'];
const dialogs = ['New run…', 'Open relay…', 'Permissions…', 'Settings…', 'Doctor…', 'Fork…'];

/** Nothing serious or critical on what is shown. */
async function expectAccessible(page: Page, view: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const told = serious.map(({ id, nodes }) => `${view}: ${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  // Soft: one view that fails hides none of the others.
  expect.soft(told).toEqual([]);
}

async function giveCommand(page: Page, label: string): Promise<void> {
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: /command/i }).fill(label);
  await page
    .getByRole('option', { name: new RegExp(`^${label.replace('…', '')}`) })
    .first()
    .click();
}

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing serious in any view or dialog, ${theme}`, async ({ lab, host }) => {
    test.skip(host === 'desktop', 'the same page: axe on one host is enough');
    test.setTimeout(240_000);
    await lab.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await expect(lab.locator('html')).toHaveAttribute('data-theme', theme);
    await expectAccessible(lab, 'welcome');
    await lab.getByRole('button', { name: 'Play crash-after-checkpoint' }).first().click();
    await expect(lab.getByRole('article').getByRole('status')).toContainText('Proved', { timeout: 90_000 });
    await expectAccessible(lab, 'scenario');
    await goTo(lab, '#/');
    await lab.getByRole('button', { name: 'Start and crash it yourself' }).click();
    const run = lab.getByRole('region', { name: /^Run / });
    await expect(run.getByText(/interrupted$/).first()).toBeVisible();
    for (const tab of tabs) {
      await run.getByRole('tab', { name: tab }).click();
      await expect(run.getByRole('tabpanel')).toBeVisible();
      await lab.waitForLoadState('networkidle');
      await expectAccessible(lab, tab);
    }
    for (const dialog of dialogs) {
      await giveCommand(lab, dialog);
      await expect(lab.getByRole('dialog')).toBeVisible();
      await expectAccessible(lab, dialog);
      await lab.keyboard.press('Escape');
      await expect(lab.getByRole('dialog')).toBeHidden();
    }
  });
}
