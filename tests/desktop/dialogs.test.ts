import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { launchDesktop } from '../support/desktop-host.ts';
import { RelayFolder } from '../support/relay-folder.ts';
import { clientOf, connected, DataDir, endlessRelay, startEndless } from './desktop-lab.ts';

describe('dialogs of the system', () => {
  it('let a person choose the folder of a relay, or leave it', async () => {
    using folder = new DataDir();
    using relay = new RelayFolder('export const run = () => null;', {
      name: 'chosen-by-hand',
      relay_durability: 'none',
    });
    await using desktop = await launchDesktop(folder);
    const { page } = desktop;
    await connected(page);
    await desktop.menu('open-relay');
    const choose = page.getByRole('dialog').getByRole('button', { name: 'Choose…' });

    await choose.click();
    expect(await desktop.answerDialog({ canceled: true })).toMatchObject({ properties: ['openDirectory'] });
    await choose.click();
    await desktop.answerDialog({ filePaths: [relay.path] });
    await page.getByRole('heading', { name: 'chosen-by-hand' }).first().waitFor();
  }, 60_000);

  it('let a person choose where an export goes, and it is written there', async () => {
    using folder = new DataDir();
    using relay = endlessRelay();
    await using desktop = await launchDesktop(folder);
    const { page } = desktop;
    await connected(page);
    await startEndless(await clientOf(folder.dataDir), relay, 'exported');
    await page.evaluate(`location.hash = '#/run/exported'; null`);
    await page.getByRole('heading', { name: 'made-for-a-test' }).first().waitFor();
    await desktop.menu('export');
    const place = join(folder.path, 'kept.json');
    expect(await desktop.answerDialog({ filePath: place })).toMatchObject({ defaultPath: 'run-exported.json' });
    await page.getByText('Saved kept.json').waitFor();
    expect(JSON.parse(readFileSync(place, 'utf8'))).toMatchObject({ run: { id: 'exported' } });
  }, 60_000);
});
