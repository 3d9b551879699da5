import type { Rectangle } from 'electron';
import { app } from './app.ts';
import { BrowserWindow } from './browser-window.ts';
import { answer } from './control.ts';
import { ipcMain } from './ipc-main.ts';
import { Menu } from './menu.ts';
import { answerAddress } from './protocol.ts';
import { session } from './session.ts';

/** What a test may do that a person or the system would do. */
const firstWindow = (): BrowserWindow => {
  const [window] = BrowserWindow.getAllWindows();
  if (window === undefined) throw new Error('there is no window');
  return window;
};

answer('quit', () => app.quit());
answer('activate', () => app.emit('activate'));
answer('close-window', () => firstWindow().close());
answer('crash', () => firstWindow().webContents.crash());
answer('set-bounds', (bounds: Rectangle) => firstWindow().setBounds(bounds));
answer('maximise', () => firstWindow().maximize());
answer('window', () => ({
  count: BrowserWindow.getAllWindows().length,
  bounds: firstWindow().getNormalBounds(),
  isMaximised: firstWindow().isMaximized(),
  webPreferences: firstWindow().options.webPreferences,
}));
answer('menu', (id: string) => {
  const item = Menu.getApplicationMenu()?.getMenuItemById(id) ?? null;
  if (item === null) throw new Error(`the menu has no item ${id}`);
  (item.click as (() => void) | undefined)?.();
});
answer('menu-choices', () =>
  Menu.getApplicationMenu()?.choices.map(({ id, label, role, accelerator }) => ({ id, label, role, accelerator })),
);
answer('choose-label', (label: string) => {
  const item = Menu.getApplicationMenu()?.choices.find((choice) => choice.label === label);
  (item?.click as (() => void) | undefined)?.();
});
answer('judge', (permission: string) => session.defaultSession.judge(permission));
/** A request at an address of the host's scheme, as it is: a browser would have tidied it up before. */
answer('fetch', async ({ address, method }: { address: string; method: string }) => {
  const response = await answerAddress(address, method);
  if (response === null) return null;
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
});
/** A message of a sender that is not the window's main frame showing the lab; gives what was posted to it. */
answer('ipc-from', ({ channel, frame }: { channel: string; frame: Record<string, unknown> | null }) => {
  const posted: unknown[] = [];
  const senderFrame = frame === null ? null : { ...frame, postMessage: (...given: unknown[]) => posted.push(given) };
  const { webContents } = firstWindow();
  const sender = frame?.['ofOtherWindow'] === true ? { id: -1 } : webContents;
  ipcMain.emit(channel, { sender, senderFrame, ports: [] });
  return posted.length;
});
