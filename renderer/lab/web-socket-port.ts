import type { FramePort } from '../../runtime/contract/index.ts';

/** Over this many bytes that the socket has not taken yet, a sender waits. */
const highWater = 1024 * 1024;
const lookAgainMs = 20;

/** The host that served this page, over a WebSocket: one JSON frame a message. Rejects when it cannot be reached. */
export function openWebSocketPort(url: string): Promise<FramePort> {
  const opened = Promise.withResolvers<FramePort>();
  const socket = new WebSocket(url);
  let onFrame: (frame: unknown) => void = () => undefined;
  let onEnd: (reason: string) => void = () => undefined;
  const port: FramePort = {
    async send(frame) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
      while (socket.readyState === WebSocket.OPEN && socket.bufferedAmount > highWater) {
        await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
      }
    },
    onFrame: (listener) => void (onFrame = listener),
    onEnd: (listener) => void (onEnd = listener),
    end: () => socket.close(),
  };
  socket.onopen = () => opened.resolve(port);
  socket.onmessage = ({ data }) => onFrame(parse(data));
  socket.onclose = ({ code, reason }) => {
    const why = reason || (code === 1006 ? 'the connection was lost' : `the connection was closed (${code})`);
    onEnd(why);
    // A socket that was refused does not say why; a plain request is answered.
    void isShutOut().then((shutOut) => opened.reject(new Error(shutOut ? startedAgain : why)));
  };
  return opened.promise;
}

const startedAgain =
  'the lab was started again, and each start has an address of its own: open the one that it printed';

/** Whether the host is there and does not know this page's token any more. */
async function isShutOut(): Promise<boolean> {
  try {
    return (await fetch('/', { method: 'HEAD' })).status === 401;
  } catch {
    return false;
  }
}

/** What is no JSON becomes what is no frame: it ends the connection. */
function parse(data: unknown): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return null;
  }
}
