import { EventEmitter } from 'node:events';

/** The other end of a port, once it was handed to a page. */
export interface FarEnd {
  send(message: unknown): void;
  close(): void;
}

/** One end of a channel. What comes before `start` waits for it. */
export class MessagePortMain extends EventEmitter {
  #far: FarEnd | null = null;
  #isStarted = false;
  #isClosed = false;
  #unsent: unknown[] = [];
  #unread: unknown[] = [];
  /** The end that this one was made with. */
  twin: MessagePortMain | null = null;

  postMessage(message: unknown): void {
    if (this.#isClosed) return;
    if (this.#far === null) this.#unsent.push(message);
    else this.#far.send(message);
  }

  start(): void {
    this.#isStarted = true;
    for (const message of this.#unread.splice(0)) this.emit('message', { data: message, ports: [] });
  }

  /** Tells the other end. This one is told nothing: `close` is documented for the end of the other alone. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#far?.close();
  }

  /** The twin was handed to a page, which now is the far end. */
  connect(far: FarEnd): void {
    this.#far = far;
    for (const message of this.#unsent.splice(0)) far.send(message);
    if (this.#isClosed) far.close();
  }

  received(message: unknown): void {
    if (this.#isClosed) return;
    if (this.#isStarted) this.emit('message', { data: message, ports: [] });
    else this.#unread.push(message);
  }

  farEnded(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.emit('close');
  }
}

export class MessageChannelMain {
  readonly port1 = new MessagePortMain();
  readonly port2 = new MessagePortMain();

  constructor() {
    this.port1.twin = this.port2;
    this.port2.twin = this.port1;
  }
}
