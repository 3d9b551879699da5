import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LabPage } from '../support/lab-page.ts';
import { launchDesktop, startDesktop } from '../support/desktop-host.ts';
import { clientOf, connected, DataDir, standIn } from './desktop-lab.ts';

describe('opening the desktop host', () => {
  it('shows the window of the first one when it is started again on the same folder', async (context) => {
    using folder = new DataDir();
    await using first = await launchDesktop(folder);
    const host = standIn(first, context);
    await using second = await startDesktop(folder);
    expect(await second.ended).toEqual({ code: 0, signal: null });
    await host.toldOf('focused');
    expect(await host.ask('window', null)).toMatchObject({ count: 1 });
  }, 60_000);

  it('says who holds the data folder, and ends when nobody wants another', async () => {
    using folder = new DataDir();
    await using page = await LabPage.start(['--data-dir', folder.dataDir]);
    await using desktop = await startDesktop(folder);
    const asked = await desktop.answerDialog({ response: 0 });
    expect(asked).toMatchObject({ detail: expect.stringContaining(`process ${page.said.pid}`) as string });
    expect(await desktop.ended).toEqual({ code: 1, signal: null });
  }, 60_000);

  it('begins anew with another folder that is chosen instead', async (context) => {
    using folder = new DataDir();
    await using page = await LabPage.start(['--data-dir', folder.dataDir]);
    await using desktop = await startDesktop(folder);
    const host = standIn(desktop, context);
    await host.answerDialog({ response: 1 });
    const other = join(folder.path, 'other');
    await host.answerDialog({ filePaths: [other] });
    const { value } = await host.toldOf('relaunch');
    expect(page.child.exitCode).toBeNull();
    expect((value as string[]).slice(-2)).toEqual(['--data-dir', other]);
    expect((value as string[]).filter((word) => word === '--data-dir')).toHaveLength(1);
    expect(await host.ended).toEqual({ code: 0, signal: null });
  }, 60_000);

  it('says what it cannot do with the words that it was started with', async (context) => {
    using folder = new DataDir();
    await using desktop = await startDesktop({ dataDir: folder.dataDir, words: ['--ephemeral'] });
    const { value } = await standIn(desktop, context).toldOf('error-box');
    expect(value).toContain('--ephemeral keeps its own data folder');
    expect(await desktop.ended).toMatchObject({ code: 1 });
  });

  it('keeps everything in a folder that is removed at the end with --ephemeral', async () => {
    await using desktop = await launchDesktop({ dataDir: null, words: ['--ephemeral'] });
    await connected(desktop.page);
    await desktop.menu('settings');
    const shown = await desktop.page
      .getByRole('dialog')
      .getByText(/lab-ephemeral-/)
      .first()
      .innerText();
    const root = /\/\S*lab-ephemeral-\S+/.exec(shown)?.[0] ?? '';
    expect(existsSync(root)).toBe(true);
    await expect(clientOf(root).then((client) => client.call('lab/info', {}))).resolves.toMatchObject({
      ...{ host: 'desktop', ephemeral: true },
    });
    await desktop.quit();
    await desktop.ended;
    expect(existsSync(root)).toBe(false);
  }, 60_000);

  it('offers the page again after its process crashed', async (context) => {
    using folder = new DataDir();
    await using desktop = await launchDesktop(folder);
    const host = standIn(desktop, context);
    const crashed = desktop.page.waitForEvent('crash');
    await host.ask('crash', null);
    await crashed;
    expect(await host.answerDialog({ response: 0 })).toMatchObject({ message: 'The page of the lab is gone' });
    await connected(await host.window());
  }, 60_000);
});
