import { Socket } from 'node:net';
import type { FromChild, ToChild } from '../contract/index.ts';
import { LabError, limits } from '../core/index.ts';

export interface FrameListener {
  onFrame(frame: ToChild): void;
  /** The host closed its end, or is gone. */
  onEnd(): void;
}

/**
 * The socket to the host on a file descriptor: one JSON object a line. Frames of one tick leave in one write, after the
 * microtasks of that tick, so that an intent and the checkpoint of a body that did not wait share it.
 */
export class FrameChannel {
  readonly #socket: Socket;
  #pending = '';
  #received = '';
  #waits = 0;

  constructor(fd: number, listener: FrameListener) {
    this.#socket = new Socket({ fd, readable: true, writable: true });
    this.#socket.setEncoding('utf8');
    this.#socket.on('data', (text: string) => this.#receive(text, listener));
    this.#socket.on('error', () => listener.onEnd());
    this.#socket.on('close', () => listener.onEnd());
  }

  /** Throws `too-large` when the frame is over the protocol's bound; then nothing is sent. */
  send(frame: FromChild): void {
    const line = `${JSON.stringify(frame)}\n`;
    if (line.length > limits.frameBytes / 4) checkSize(line, frame);
    if (this.#pending === '') process.nextTick(() => this.flush());
    this.#pending += line;
  }

  /** Hands what is pending to the kernel now. */
  flush(): void {
    if (this.#pending === '') return;
    const text = this.#pending;
    this.#pending = '';
    this.#socket.write(text);
  }

  /** While something awaits a frame the socket keeps the process alive; otherwise it does not. */
  hold(): void {
    if (this.#waits++ === 0) this.#socket.ref();
  }

  release(): void {
    if (--this.#waits === 0) this.#socket.unref();
  }

  #receive(text: string, listener: FrameListener): void {
    const lines = (this.#received + text).split('\n');
    this.#received = lines.pop() ?? '';
    for (const line of lines) listener.onFrame(JSON.parse(line) as ToChild);
  }
}

function checkSize(line: string, frame: FromChild): void {
  const bytes = Buffer.byteLength(line);
  // What is kept comes back in a history frame, beside the operation's name and arguments: it must fit there too.
  const bound = frame.tag === 'checkpoint' || frame.tag === 'perform' ? limits.keptBytes : limits.frameBytes;
  if (bytes <= bound) return;
  const what = 'id' in frame ? `${frame.tag} of operation ${frame.id}` : frame.tag;
  throw new LabError(
    'too-large',
    `${what}: the serialised value with its envelope is ${bytes} bytes; at most ${bound} can be kept`,
    'Keep large data in a file of the run’s folder and pass its name.',
    { bytes, limit: bound },
  );
}
