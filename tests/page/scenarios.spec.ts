import { scenarios } from '../../scenarios/index.ts';
import { expect, test } from './lab-fixture.ts';

for (const { name, expects } of scenarios) {
  test(`${name}: a click plays it, and every piece of evidence is found`, async ({ lab }) => {
    await lab
      .getByRole('navigation')
      .getByRole('button', { name: `Play ${name}`, exact: true })
      .click();
    const view = lab.getByRole('article', { name: `scenario ${name}` });
    await expect(view.getByText('Expected evidence')).toBeVisible();
    // Shown before it is known: what is expected stands there as pending.
    await expect(
      view
        .getByRole('listitem')
        .filter({ hasText: /^○|pending/ })
        .first(),
    ).toBeVisible();
    await expect(view.getByRole('status')).toContainText(`Proved: all ${expects.length} pieces`, { timeout: 90_000 });
    // Each piece begins with its verdict in words; what it is called may hold such words too.
    await expect(view.getByRole('listitem').filter({ hasText: /^✓found/ })).toHaveCount(expects.length);
    await expect(view.getByRole('listitem').filter({ hasText: /^✕/ })).toHaveCount(0);
  });
}

test('a scenario can be cancelled, which proves nothing, and played again', async ({ lab }) => {
  await lab.getByRole('navigation').getByRole('button', { name: 'Play slow-drain', exact: true }).click();
  const view = lab.getByRole('article', { name: 'scenario slow-drain' });
  await view.getByRole('button', { name: 'Cancel' }).click();
  await expect(view.getByRole('status')).toContainText('Cancelled');
  await view.getByRole('button', { name: 'Play again' }).click();
  await expect(view.getByRole('status')).toContainText('Proved', { timeout: 90_000 });
});
