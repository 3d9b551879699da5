import { ipcMain, MessageChannelMain, type IpcMainEvent, type MessagePortMain, type WebContents } from 'electron';
import { portMessage, serveClient, type ClientService, type FramePort } from '../../runtime/contract/index.ts';
import { pageOrigin } from './page-origin.ts';

/**
 * Hands the page of a window one port for each load, served with the client API. The only use of `ipcMain`: a port
 * names no sender any more, so the sender is judged here, once. Only the main frame of a window of the lab, while it
 * shows the lab's own page, gets one.
 */
export function handOverPorts(windowOf: () => WebContents | null, service: ClientService): void {
  let current: FramePort | null = null;
  ipcMain.on(portMessage, (event) => {
    const frame = trustedFrame(event, windowOf());
    if (frame === null) return;
    // In so many words: a port that is closed here need not tell of its end, and its feeds would go on for nobody.
    current?.end();
    const { port1, port2 } = new MessageChannelMain();
    current = framePort(port1);
    serveClient(current, service);
    port1.start();
    frame.postMessage(portMessage, null, [port2]);
  });
}

/** The frame that asks, when it may; null for a frame that is gone, a sub-frame, another window or another page. */
function trustedFrame({ sender, senderFrame }: IpcMainEvent, window: WebContents | null): Electron.WebFrameMain | null {
  if (window === null || senderFrame === null || senderFrame.detached) return null;
  if (sender.id !== window.id || senderFrame.parent !== null || senderFrame.origin !== pageOrigin) return null;
  return senderFrame;
}

function framePort(port: MessagePortMain): FramePort {
  const ended = Promise.withResolvers<string>();
  port.once('close', () => ended.resolve('the page is gone'));
  return {
    send(frame) {
      port.postMessage(frame);
      return Promise.resolve();
    },
    onFrame: (listener) => void port.on('message', ({ data }) => listener(data)),
    onEnd: (listener) => void ended.promise.then(listener),
    end() {
      port.close();
      ended.resolve('it was closed here');
    },
  };
}
