import AxeBuilder from '@axe-core/playwright';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RelayFolder } from '../support/relay-folder.ts';
import { clientOf } from './lab-client.ts';
import { expect, goTo, test } from './lab-fixture.ts';

const pictures = fileURLToPath(new URL('../../test-results/screens', import.meta.url));

function askingRelay(): RelayFolder {
  return new RelayFolder(
    `import { vault } from 'agentworks';
     export async function run() { return (await vault('API_TOKEN')).length; }`,
    { name: 'asking', secrets: ['API_TOKEN', 'SIGNING_KEY'], variables: { region: 'eu-west', note: '' } },
  );
}

test('a secret is set, replaced, revoked and removed with the keyboard, and its value is nowhere on the page', async ({
  lab,
  host,
  dataDir,
}) => {
  using relay = askingRelay();
  const client = await clientOf(dataDir);
  await client.call('relay/open', { folder: relay.path });
  await lab.reload();
  await goTo(lab, '#/vault');
  const vault = lab.getByRole('article', { name: 'Vault' });
  await expect(vault).toContainText(
    host === 'desktop' ? 'Values are encrypted with a key of the system' : 'Values are kept readable by your user',
  );
  const token = vault.getByRole('listitem', { name: 'secret API_TOKEN' });
  await expect(token).toContainText('not set');
  await expect(token).toContainText('asking');

  await token.getByRole('button', { name: 'Set API_TOKEN' }).focus();
  await lab.keyboard.press('Enter');
  const value = lab.getByLabel('Value');
  await expect(value).toBeFocused();
  await expect(value).toHaveAttribute('type', 'password');
  await lab.keyboard.type('canary-from-the-page');
  await lab.keyboard.press('Enter');
  await expect(lab.getByRole('dialog')).toBeHidden();
  await expect(token).toContainText('set');
  await expect(token).toContainText('•••');
  if (host === 'loopback') expect(readFileSync(join(dataDir, 'vault.json'), 'utf8')).toContain('canary-from-the-page');

  const traces = (): Promise<string> =>
    lab.evaluate(`JSON.stringify([
      document.documentElement.outerHTML,
      [...document.querySelectorAll('input, textarea')].map((field) => field.value),
      location.href, Object.entries(localStorage), Object.entries(sessionStorage), history.state,
    ])`);
  expect(await traces()).not.toContain('canary-from-the-page');

  await token.getByRole('button', { name: 'Replace API_TOKEN' }).click();
  await expect(lab.getByLabel('Value')).toHaveValue('');
  await lab.getByLabel('Value').fill('canary-replaced');
  await lab.getByRole('button', { name: 'Replace it' }).click();
  await expect(lab.getByRole('dialog')).toBeHidden();
  await client.call('run/start', { folder: relay.path, input: '{}', id: 'r', crashPlan: [], recovery: 'off' });
  expect((await client.call('run/settled', { run: 'r' })).run.result).toBe('canary-replaced'.length);
  expect(await traces()).not.toContain('canary-replaced');

  await token.getByRole('button', { name: 'Revoke API_TOKEN from asking' }).click();
  await expect(token).toContainText('✕ revoked');
  await client.call('run/start', { folder: relay.path, input: '{}', id: 'r2', crashPlan: [], recovery: 'off' });
  expect((await client.call('run/settled', { run: 'r2' })).run.error?.message).toContain('secret:asking/API_TOKEN');
  await token.getByRole('button', { name: 'Grant API_TOKEN to asking' }).click();
  await expect(token).toContainText('✓ granted');

  await token.getByRole('button', { name: 'Remove API_TOKEN' }).click();
  await expect(lab.getByRole('dialog')).toContainText('for asking');
  await lab.getByRole('button', { name: 'Remove the secret' }).click();
  await expect(token).toContainText('not set');
  await client.close();
});

test('a value that cannot be kept is refused beside the field, and several lines are not cut', async ({ lab }) => {
  await goTo(lab, '#/vault');
  await lab.getByRole('button', { name: 'Set a secret…' }).click();
  const dialog = lab.getByRole('dialog');
  await dialog.getByLabel('Name').fill('lower');
  await dialog.getByLabel('Value').fill('long enough');
  await lab.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('expected 1 to 64 capital letters');
  await expect(dialog.getByLabel('Value')).toHaveValue('');
  await lab.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', 'line one\\nline two');
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.querySelector('input[type=password]').dispatchEvent(paste);
  })()`);
  await expect(dialog.getByRole('alert').first()).toContainText('has several lines');
});

for (const theme of ['light', 'dark'] as const) {
  for (const width of [900, 1440]) {
    test.describe(`${width} px`, () => {
      test.use({ viewport: { width, height: 900 } });
      test(`the vault is clean to axe and fits, ${theme}`, async ({ lab, host, dataDir }) => {
        test.skip(host === 'desktop', 'the same page: axe and pictures of one host are enough');
        using relay = askingRelay();
        const client = await clientOf(dataDir);
        await client.call('relay/open', { folder: relay.path });
        await client.call('vault/set', { name: 'SIGNING_KEY', value: 'never shown' });
        await client.call('vault/set', { name: 'UNUSED_ONE', value: 'never shown' });
        await client.call('permission/set', { resource: 'secret:asking/SIGNING_KEY', granted: false, by: 'ada' });
        await client.close();
        await lab.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        await lab.reload();
        await expect(lab.locator('html')).toHaveAttribute('data-theme', theme);
        const check = async (view: string): Promise<void> => {
          const { violations } = await new AxeBuilder({ page: lab }).analyze();
          const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
          expect.soft(serious.map(({ id, nodes }) => `${view}: ${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
          expect.soft(await lab.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
          await lab.screenshot({ path: join(pictures, `${view}-${theme}-${width}.png`) });
        };
        await goTo(lab, '#/vault');
        await expect(lab.getByRole('listitem', { name: 'secret SIGNING_KEY' })).toContainText('revoked');
        await check('vault');
        await lab.getByRole('button', { name: 'Replace SIGNING_KEY' }).click();
        await expect(lab.getByRole('dialog')).toBeVisible();
        await check('vault-replace');
        await lab.keyboard.press('Escape');
        await lab.getByRole('button', { name: 'Remove SIGNING_KEY' }).click();
        await expect(lab.getByRole('dialog')).toBeVisible();
        await check('vault-remove');
        await lab.keyboard.press('Escape');
        await goTo(lab, `#/relay/${encodeURIComponent(relay.path)}`);
        await expect(lab.getByRole('region', { name: 'Variables' })).toContainText('eu-west');
        await expect(lab.getByRole('region', { name: 'Secrets' })).toContainText('SIGNING_KEY');
        await check('relay-secrets');
      });
    });
  }
}
