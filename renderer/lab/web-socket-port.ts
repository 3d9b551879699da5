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
    opened.reject(new Error(why));
    onEnd(why);
  };
  return opened.promise;
}

/** What is no JSON becomes what is no frame: it ends the connection. */
function parse(data: unknown): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return null;
  }
}
