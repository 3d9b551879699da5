import { WebSocket } from 'ws';
import type { FramePort } from '../../runtime/contract/index.ts';
import { LabError } from '../../runtime/core/index.ts';

/** Over this many bytes that the peer has not taken yet, a sender waits. */
const highWater = 1024 * 1024;
/** Of RFC 6455: data of a kind that is not accepted, and a message that breaks the rules. */
const closeCodes = { unsupported: 1003, policy: 1008 } as const;

/**
 * A port over an open WebSocket: one JSON object a text message. What is binary or no JSON ends it; what is too long
 * to come in ends it by the socket's own `maxPayload`. Sending more than `outgoingBytes` at once throws `too-large`.
 */
export function webSocketPort(socket: WebSocket, outgoingBytes: number): FramePort {
  let onFrame: (frame: unknown) => void = () => undefined;
  let onEnd: (reason: string) => void = () => undefined;
  let failure: string | null = null;

  socket.on('message', (data, isBinary) => {
    if (isBinary) return socket.close(closeCodes.unsupported, 'frames are text');
    let frame: unknown;
    try {
      frame = JSON.parse((data as Buffer).toString('utf8'));
    } catch {
      return socket.close(closeCodes.policy, 'a frame is JSON');
    }
    if (socket.readyState === WebSocket.OPEN) onFrame(frame);
  });
  socket.on('error', (error) => (failure = error.message));
  socket.on('close', (_code, reason) => onEnd(failure ?? (String(reason) || 'it closed the connection')));

  return {
    async send(frame) {
      const text = JSON.stringify(frame);
      const bytes = Buffer.byteLength(text);
      if (bytes > outgoingBytes) {
        throw new LabError('too-large', `a frame of ${bytes} bytes is over the ${outgoingBytes} that one may have`);
      }
      if (socket.readyState !== WebSocket.OPEN) return;
      // Called back with an error, too, when the socket goes first.
      const written = new Promise<void>((resolve) => socket.send(text, () => resolve()));
      if (socket.bufferedAmount > highWater) await written;
    },
    onFrame: (listener) => void (onFrame = listener),
    onEnd: (listener) => void (onEnd = listener),
    end: () => socket.close(),
  };
}

/** Ends a connection whose peer has not answered a ping by the next: asleep, unplugged or stopped. */
export function watchPeer(socket: WebSocket, everyMs: number): void {
  let answered = true;
  const timer = setInterval(() => {
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
  }, everyMs);
  socket.on('pong', () => (answered = true));
  socket.on('close', () => clearInterval(timer));
}
