/**
 * The preload script's world in the page: isolated from the page's own scripts, as in Electron, with `require` for
 * `electron` alone. `send` is a DevTools binding of this world; the host calls `receive` here.
 */
export const worldName = 'electron-preload';
export const sendName = 'standInSend';
export const receiveName = 'standInReceive';

/** What the world says to the host. */
export type FromWorld =
  | { readonly tag: 'ipc'; readonly channel: string; readonly args: readonly unknown[] }
  | { readonly tag: 'port'; readonly port: number; readonly message: unknown }
  | { readonly tag: 'port-closed'; readonly port: number };

/** What the host says to the world. */
export type ToWorld =
  | { readonly tag: 'ipc'; readonly channel: string; readonly message: unknown; readonly ports: readonly number[] }
  | { readonly tag: 'port'; readonly port: number; readonly message: unknown }
  | { readonly tag: 'port-close'; readonly port: number };

/** Runs the built preload script, as it is, in the main frame of every page of the window. */
export function preloadScript(preload: string): string {
  return `(() => {
if (window !== window.top || location.protocol === 'about:') return;
const send = (message) => ${sendName}(JSON.stringify(message));
const ports = new Map();
const listeners = new Map();
const openPort = (id) => {
  const { port1, port2 } = new MessageChannel();
  ports.set(id, port1);
  port1.onmessage = ({ data }) => send({ tag: 'port', port: id, message: data });
  port1.addEventListener('close', () => send({ tag: 'port-closed', port: id }));
  return port2;
};
globalThis.${receiveName} = (text) => {
  const { tag, ...given } = JSON.parse(text);
  if (tag === 'port') ports.get(given.port)?.postMessage(given.message);
  else if (tag === 'port-close') ports.get(given.port)?.close();
  else {
    const event = { ports: given.ports.map(openPort) };
    for (const listener of [...(listeners.get(given.channel) ?? [])]) listener(event, given.message);
  }
};
const on = (channel, listener) => void listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
const off = (channel, listener) =>
  void listeners.set(channel, (listeners.get(channel) ?? []).filter((one) => one !== listener));
const once = (channel, listener) => {
  const first = (...given) => { off(channel, first); listener(...given); };
  on(channel, first);
};
const ipcRenderer = { send: (channel, ...args) => send({ tag: 'ipc', channel, args }), on, once, off };
const require = (name) => {
  if (name !== 'electron') throw new Error('module not found: ' + name);
  return { ipcRenderer };
};
const module = { exports: {} };
((require, exports, module) => {
${preload}
})(require, module.exports, module);
})();`;
}
