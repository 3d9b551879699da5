import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { menuCommands, portMessage } from '../../runtime/contract/index.ts';
import { launchDesktop } from '../support/desktop-host.ts';
import { connected, DataDir, standIn } from './desktop-lab.ts';

let folder: DataDir;
let desktop: Awaited<ReturnType<typeof launchDesktop>>;

beforeAll(async () => {
  folder = new DataDir();
  desktop = await launchDesktop({ dataDir: folder.dataDir });
  await connected(desktop.page);
}, 60_000);

afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

describe('the window of the desktop host', () => {
  it('hands the page one port for each load, and the page is live on it', async () => {
    const { page } = desktop;
    await page.addInitScript(`
      sessionStorage.setItem('ports', '');
      addEventListener('message', ({ data, ports }) => {
        if (data !== ${JSON.stringify(portMessage)}) return;
        sessionStorage.setItem('ports', sessionStorage.getItem('ports') + '+' + ports.length);
      });
    `);
    for (let load = 0; load < 2; load += 1) {
      await page.reload();
      await connected(page);
      expect(await page.evaluate(`sessionStorage.getItem('ports')`)).toBe('+1');
    }
  });

  it('exposes nothing else to the page', async () => {
    // The page's own library for schemas keeps two globals; numbers are frames.
    const found = await desktop.page.evaluate(`(() => {
      const frame = document.body.appendChild(document.createElement('iframe'));
      const untouched = new Set(Object.getOwnPropertyNames(frame.contentWindow));
      frame.remove();
      const own = Object.getOwnPropertyNames(window).filter((name) => !untouched.has(name) && !/^\\d+$|^__zod_/.test(name));
      const known = ['require', 'process', 'module', 'electron', 'ipcRenderer', 'Buffer', 'global'];
      return { own, known: known.filter((name) => name in window) };
    })()`);
    expect(found).toEqual({ own: [], known: [] });
  });

  it('is sandboxed, isolated and without Node', async (context) => {
    expect(await standIn(desktop, context).ask('window', null)).toMatchObject({
      webPreferences: {
        ...{ sandbox: true, contextIsolation: true, nodeIntegration: false, webSecurity: true, webviewTag: false },
      },
    });
  });

  it('loads under a policy that lets it load from itself alone, and breaks none of it', async () => {
    const { page } = desktop;
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    const response = await page.reload();
    await connected(page);
    expect(complaints).toEqual([]);
    const policy = response?.headers()['content-security-policy']?.split('; ') ?? [];
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ]),
    );
    await expect(page.addScriptTag({ content: 'document.title = "inline"' })).rejects.toThrow();
    expect(await page.title()).toBe('Relay Recovery Lab');
  });

  it('stays where it is when its page would go elsewhere', async () => {
    const { page } = desktop;
    const before = page.url();
    const refused = page.waitForEvent('requestfailed', (request) => request.url().startsWith('https://example.org/'));
    await page.evaluate(`location.href = 'https://example.org/'; null`);
    await refused;
    expect(page.url()).toBe(before);
    await connected(page);
  });

  it('opens no other window', async (context) => {
    const { page } = desktop;
    const host = standIn(desktop, context);
    await page.evaluate(`window.open('https://example.org/'); null`);
    expect(await host.toldOf('page-opened-a-window')).toMatchObject({ value: 'deny' });
    expect(page.context().pages()).toEqual([page]);
  });

  it('denies every permission, whether it is asked for or looked up', async (context) => {
    const host = standIn(desktop, context);
    for (const permission of [
      'media',
      'geolocation',
      'notifications',
      'clipboard-read',
      'fileSystem',
      'openExternal',
    ]) {
      const judged = await host.ask('judge', permission);
      expect({ permission, judged }).toEqual({
        permission,
        judged: { requested: false, checked: false, device: false },
      });
    }
  });

  it('lets the page write text to the clipboard, which copying needs', async (context) => {
    const judged = await standIn(desktop, context).ask('judge', 'clipboard-sanitized-write');
    expect(judged).toEqual({ requested: true, checked: true, device: false });
  });

  it('gives each command of its menu to the page', async () => {
    const { page } = desktop;
    await desktop.menu('settings');
    await page.getByRole('dialog', { name: 'Settings' }).waitFor();
    await page.keyboard.press('Escape');
    await desktop.menu('open-relay');
    await page.getByRole('dialog', { name: 'Open relay' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('has every command in its menu, each key for one of them', async (context) => {
    const choices = (await standIn(desktop, context).ask('menu-choices', null)) as Record<string, unknown>[];
    for (const [id, { label, accelerator }] of Object.entries(menuCommands)) {
      expect(choices).toContainEqual({ id, label, ...(accelerator === null ? {} : { accelerator }) });
    }
    const keys = choices.flatMap(({ accelerator }) => (accelerator === undefined ? [] : [accelerator]));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
