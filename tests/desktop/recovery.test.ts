import { expect as expectPage, type Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { launchDesktop } from '../support/desktop-host.ts';
import { gone } from '../support/process-life.ts';
import { clientOf, connected, DataDir, endlessRelay, startEndless } from './desktop-lab.ts';

const runOf = (page: Page) => page.getByRole('region', { name: /^Run / });

/** Resolves when the page says that the run stands so. */
async function stands(page: Page, state: string): Promise<void> {
  await expectPage(
    runOf(page)
      .getByText(new RegExp(`${state}$`))
      .first(),
  ).toBeVisible({ timeout: 30_000 });
}

describe('a person in the window', () => {
  it('starts a relay, sees it killed at its crash point, loads the page anew, and recovers the run', async () => {
    using folder = new DataDir();
    await using desktop = await launchDesktop(folder);
    const { page } = desktop;
    await connected(page);
    await desktop.menu('new-run');
    const dialog = page.getByRole('dialog', { name: 'New run' });
    await dialog.getByRole('combobox', { name: 'Relay' }).selectOption('order-fulfilment');
    await dialog.getByRole('textbox', { name: 'A crash point in words' }).fill('reserve@after-checkpoint');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByRole('button', { name: 'Take reserve@after-checkpoint out of the plan' }).waitFor();
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    await stands(page, 'interrupted');
    await runOf(page)
      .getByText(/reserve@after-checkpoint/)
      .first()
      .waitFor();
    await page.reload();
    await stands(page, 'interrupted');
    await runOf(page)
      .getByRole('button', { name: /Recover same run/ })
      .click();
    await stands(page, 'succeeded');

    const client = await clientOf(folder.dataDir);
    const runs = await client.call('run/list', { before: null, limit: 10, relay: null, state: null });
    expect(runs).toHaveLength(1);
    const { attempts } = await client.call('run/show', { run: runs[0]?.id ?? '' });
    expect(new Set(attempts.map(({ process }) => process?.pid)).size).toBe(2);
    await client.close();
  }, 90_000);

  it('finds the run interrupted in a new window after the whole host was killed, with no process of it left', async () => {
    using folder = new DataDir();
    using relay = endlessRelay();
    let pid = 0;
    {
      await using desktop = await launchDesktop(folder);
      const client = await clientOf(folder.dataDir);
      await startEndless(client, relay, 'orphaned');
      const { attempts } = await client.call('run/show', { run: 'orphaned' });
      pid = attempts[0]?.process?.pid ?? 0;
      desktop.signal('SIGKILL');
      expect(await desktop.ended).toEqual({ code: null, signal: 'SIGKILL' });
    }
    expect(pid).toBeGreaterThan(0);
    await gone(pid);
    await using again = await launchDesktop(folder);
    await connected(again.page);
    await again.page.evaluate(`location.hash = '#/run/orphaned'; null`);
    await stands(again.page, 'interrupted');
  }, 90_000);
});
