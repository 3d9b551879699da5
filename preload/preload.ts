import { ipcRenderer } from 'electron';
import { portMessage } from '../runtime/contract/window-port.ts';

/**
 * The whole bridge: asks for this load's port to the host and hands it to the page. Nothing else crosses. The page
 * listens once its scripts have run, which is when it has loaded.
 */
const loaded = new Promise<void>((resolve) => window.addEventListener('load', () => resolve(), { once: true }));

ipcRenderer.once(portMessage, ({ ports }) => {
  void loaded.then(() => window.postMessage(portMessage, location.origin, [...ports]));
});
ipcRenderer.send(portMessage);
