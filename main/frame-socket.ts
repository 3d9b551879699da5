import type { Socket } from 'node:net';
import type { FramePort } from '../runtime/contract/index.ts';
import { LabError } from '../runtime/core/index.ts';

export interface FrameBounds {
  /** Most bytes of a frame, with its line end, in each direction. */
  readonly incoming: number;
  readonly outgoing: number;
}

const lineEnd = 0x0a;

/** A port over a stream socket: one JSON object a line. A line that is too long or no JSON ends it. */
export function framePort(socket: Socket, bounds: FrameBounds): FramePort {
  let onFrame: (frame: unknown) => void = () => undefined;
  let onEnd: (reason: string) => void = () => undefined;
  let reason = 'it closed the connection';
  let parts: Buffer[] = [];
  let held = 0;

  function fail(why: string): void {
    reason = why;
    socket.destroy();
  }

  function takeLine(line: string): void {
    let frame: unknown;
    try {
      frame = JSON.parse(line);
    } catch {
      return fail('it sent a line that is no JSON');
    }
    onFrame(frame);
  }

  socket.on('data', (data: Buffer) => {
    let from = 0;
    for (let end = data.indexOf(lineEnd); end !== -1 && !socket.destroyed; end = data.indexOf(lineEnd, from)) {
      parts.push(data.subarray(from, end));
      if (held + end - from >= bounds.incoming) return fail(`it sent a frame over ${bounds.incoming} bytes`);
      const line = Buffer.concat(parts).toString('utf8');
      parts = [];
      held = 0;
      from = end + 1;
      takeLine(line);
    }
    if (from === data.length) return;
    parts.push(data.subarray(from));
    held += data.length - from;
    if (held >= bounds.incoming) fail(`it sent a frame over ${bounds.incoming} bytes`);
  });
  socket.on('error', (error) => (reason = error.message));
  socket.on('end', () => socket.end());
  socket.on('close', () => onEnd(reason));

  return {
    async send(frame) {
      const line = `${JSON.stringify(frame)}\n`;
      const bytes = Buffer.byteLength(line);
      if (bytes > bounds.outgoing) {
        throw new LabError('too-large', `a frame of ${bytes} bytes is over the ${bounds.outgoing} that one may have`);
      }
      if (!socket.writable || socket.write(line)) return;
      await new Promise<void>((resolve) => {
        const go = (): void => {
          socket.off('drain', go).off('close', go);
          resolve();
        };
        socket.on('drain', go).on('close', go);
      });
    },
    onFrame: (listener) => void (onFrame = listener),
    onEnd: (listener) => void (onEnd = listener),
    end: () => void socket.end(),
  };
}
