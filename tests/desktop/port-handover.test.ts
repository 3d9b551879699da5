import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { portMessage } from '../../runtime/contract/index.ts';
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

const main = { origin: 'app://lab', parent: null, detached: false };

describe('who asks the host for a port', () => {
  it.for([
    ['is no frame any more', null],
    ['is a sub-frame', { ...main, parent: {} }],
    ['is a frame that was detached', { ...main, detached: true }],
    ['shows another site', { ...main, origin: 'https://lab' }],
    ['shows another host of the same scheme', { ...main, origin: 'app://lab.example' }],
    ['shows an opaque origin', { ...main, origin: 'null' }],
    ['belongs to another window', { ...main, ofOtherWindow: true }],
  ] as const)('gets none when it %s', async ([, frame], context) => {
    const posted = await standIn(desktop, context).ask('ipc-from', { channel: portMessage, frame });
    expect(posted).toBe(0);
    await connected(desktop.page);
  });

  it('gets one as the main frame of the window, and the port before it ends with its feeds', async (context) => {
    const { page } = desktop;
    const posted = await standIn(desktop, context).ask('ipc-from', { channel: portMessage, frame: main });
    expect(posted).toBe(1);
    await page.getByRole('contentinfo').getByText('connected').waitFor({ state: 'hidden' });
    // Nobody follows the menu now: what is chosen waits for the next page.
    await desktop.menu('settings');
    await page.reload();
    // The dialog says that the port is there; while it stands, what is behind it is hidden from roles.
    await page.getByRole('dialog', { name: 'Settings' }).waitFor();
  });
});
