import type { Duplex } from 'node:stream';
import { toChild, type FromChild, type ToChild } from '../contract/index.ts';
import { LabError, limits } from '../core/index.ts';
import { beginning, describeIssue, readFrame } from './frame-text.ts';

/** Frames that a process leaves unread may take this much of the host's memory, in bytes; its history not counted. */
const unreadBytes = 16 * 1024 * 1024;
/** Pieces of an unfinished line that are kept apart before they are joined. */
const looseChunks = 256;

export interface ChannelListener {
  onFrame(frame: FromChild): void;
  /** The process broke the protocol; nothing more is delivered. */
  onFault(detail: string): void;
}

/** Both directions of one process's socket: frames in, frames out, each checked and bounded. */
export class FrameChannel {
  readonly #socket: Duplex;
  readonly #listener: ChannelListener;
  /** Beginning of a line whose end has not arrived. */
  #loose: Buffer[] = [];
  #looseBytes = 0;
  /** What arrived while the channel was held. */
  #heldBack: Buffer[] = [];
  #held = false;
  #deaf = false;
  #frames = 0;
  #received = 0;
  /** Where the line that is read next begins, in bytes from the socket's start. */
  #offset = 0;
  #outbox: string[] = [];
  #unread = 0;
  #history = 0;

  constructor(socket: Duplex, listener: ChannelListener) {
    this.#socket = socket;
    this.#listener = listener;
    // The process is gone or going; its exit is what is acted on.
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      this.#received += chunk.length;
      this.#take(chunk);
    });
  }

  /** Bytes that have arrived so far. */
  get received(): number {
    return this.#received;
  }

  /** Delivers no frame until `release`, not even one that has arrived already. */
  hold(): void {
    this.#held = true;
    this.#socket.pause();
  }

  release(): void {
    this.#held = false;
    const chunks = this.#heldBack;
    this.#heldBack = [];
    for (const chunk of chunks) this.#take(chunk);
    this.#flow();
  }

  /** What was taken meanwhile may have led to the next hold. */
  #flow(): void {
    if (!this.#held) this.#socket.resume();
  }

  /** Delivers and sends nothing from now on; what still arrives is thrown away. */
  stop(): void {
    this.#deaf = true;
    this.#heldBack = [];
    this.#loose = [];
    this.#outbox = [];
    this.#socket.resume();
  }

  /**
   * Sends a frame; does nothing once stopped. Throws `too-large` for a frame over `limits.frameBytes`, and `internal`
   * for one that the protocol does not know.
   */
  send(frame: ToChild): void {
    if (this.#deaf) return;
    const checked = toChild.safeParse(frame);
    if (!checked.success) {
      const reason = describeIssue(checked.error.issues[0]);
      throw new LabError(
        'internal',
        `a "${frame.tag}" frame to the relay's process does not fit the protocol (${reason})`,
      );
    }
    const line = `${JSON.stringify(frame)}\n`;
    const bytes = Buffer.byteLength(line);
    if (bytes > limits.frameBytes) {
      throw new LabError(
        'too-large',
        `a "${frame.tag}" frame to the relay's process has ${bytes} bytes, over the bound of ${limits.frameBytes}`,
        'Keep large data in a file of the run folder and pass its name.',
      );
    }
    if (frame.tag === 'history') this.#history += bytes;
    this.#unread += bytes;
    if (this.#unread > unreadBytes + this.#history) {
      this.#fail(`it left over ${unreadBytes} bytes of frames on its socket unread`);
      return;
    }
    if (this.#outbox.push(line) === 1) setImmediate(() => this.#flush());
  }

  /**
   * Written after the event loop has read what there is to read: a write to a process that has just died destroys
   * the stream, and with it the last frames that the process had sent.
   */
  #flush(): void {
    if (this.#outbox.length === 0) return;
    const text = this.#outbox.join('');
    this.#outbox = [];
    const bytes = Buffer.byteLength(text);
    this.#socket.write(text, () => (this.#unread -= bytes));
  }

  #take(chunk: Buffer): void {
    let from = 0;
    while (!this.#deaf && !this.#held) {
      const end = chunk.indexOf(10, from);
      if (end === -1) break;
      this.#line(this.#whole(chunk.subarray(from, end)));
      from = end + 1;
    }
    if (this.#deaf || from === chunk.length) return;
    if (this.#held) this.#heldBack.push(chunk.subarray(from));
    else this.#keepLoose(chunk.subarray(from));
  }

  #whole(end: Buffer): Buffer {
    if (this.#loose.length === 0) return end;
    const line = Buffer.concat([...this.#loose, end]);
    this.#loose = [];
    this.#looseBytes = 0;
    return line;
  }

  #keepLoose(rest: Buffer): void {
    this.#loose.push(rest);
    this.#looseBytes += rest.length;
    if (this.#looseBytes >= limits.frameBytes) this.#failOversized(this.#loose[0] ?? rest);
    else if (this.#loose.length > looseChunks) this.#loose = [Buffer.concat(this.#loose)];
  }

  #line(line: Buffer): void {
    this.#frames += 1;
    if (line.length >= limits.frameBytes) {
      this.#failOversized(line);
      return;
    }
    const read = readFrame(line);
    if ('fault' in read) this.#fail(`frame ${this.#frames}, at byte ${this.#offset} of its socket, ${read.fault}`);
    this.#offset += line.length + 1;
    if ('frame' in read) this.#listener.onFrame(read.frame);
  }

  #failOversized(line: Buffer): void {
    const bound = `has no line end within ${limits.frameBytes} bytes`;
    this.#fail(`a frame, at byte ${this.#offset} of its socket, ${bound}; ${beginning(line)}`);
  }

  #fail(detail: string): void {
    if (this.#deaf) return;
    this.stop();
    this.#listener.onFault(detail);
  }
}
