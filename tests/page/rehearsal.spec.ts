import { expect, test } from './lab-fixture.ts';

test('a person starts a relay, sees it killed, presses Recover, and sees what was reused', async ({ lab }) => {
  await lab.getByRole('button', { name: 'Start and crash it yourself' }).click();
  const run = lab.getByRole('region', { name: /^Run / });
  await expect(run.getByText(/interrupted$/).first()).toBeVisible();
  await expect(run.getByText(/reserve@after-checkpoint/).first()).toBeVisible();
  await run.getByRole('button', { name: /Recover same run/ }).click();
  await expect(run.getByText(/succeeded$/).first()).toBeVisible();
  await run.getByRole('tab', { name: 'Operations' }).click();
  const rows = run.getByRole('grid', { name: 'Operations' }).getByRole('row');
  await expect(rows.filter({ hasText: 'reserve' })).toContainText('◇');
  await run.getByRole('tab', { name: 'Two ledgers' }).click();
  await expect(run.getByText(/0 lost/)).toBeVisible();
});

test('an uncertain operation waits for a person, who accepts a result', async ({ lab }) => {
  await lab.getByRole('button', { name: /^(not played yet )?crash-during-uncertain$/ }).click();
  await lab.getByRole('button', { name: 'Start and crash it yourself' }).click();
  const run = lab.getByRole('region', { name: /^Run / });
  await expect(run.getByText(/needs reconciliation$/).first()).toBeVisible();
  await run.getByRole('button', { name: /Reconcile|Decide/ }).click();
  const dialog = lab.getByRole('dialog');
  await expect(dialog).toContainText('append');
  await dialog.getByRole('radio', { name: /accept/i }).click();
  await dialog.getByRole('button', { name: 'Accept the result' }).click();
  await expect(run.getByText(/succeeded$/).first()).toBeVisible();
});
