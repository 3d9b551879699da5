import type { CDPSession } from '@playwright/test';
import type { MessagePortMain } from './message-ports.ts';
import { toHost } from './page-address.ts';
import { receiveName, type FromWorld, type ToWorld } from './preload-world.ts';

let portsSoFar = 0;

/** Electron's `WebFrameMain` of a main frame, for one load of the page. */
export class LoadedFrame {
  readonly parent = null;
  /** As the host says it: the browser's own word is another (see page-address.ts). */
  readonly origin: string;
  detached = false;
  readonly #devTools: CDPSession;
  readonly #world: number;
  /** Ends of ports that stayed in the host, by the number of the end that went to the page. */
  readonly #near = new Map<number, MessagePortMain>();

  constructor(devTools: CDPSession, world: { readonly id: number; readonly origin: string }) {
    this.#devTools = devTools;
    this.#world = world.id;
    this.origin = toHost(world.origin)?.replace(/\/$/, '') ?? world.origin;
  }

  postMessage(channel: string, message: unknown, transfer: readonly MessagePortMain[] = []): void {
    const ports = transfer.map((port) => this.#handOver(port));
    this.#say({ tag: 'ipc', channel, message, ports: ports.map(({ id }) => id) });
    for (const { connect } of ports) connect();
  }

  hear(heard: Exclude<FromWorld, { tag: 'ipc' }>): void {
    const near = this.#near.get(heard.port);
    if (heard.tag === 'port') near?.received(heard.message);
    else {
      this.#near.delete(heard.port);
      near?.farEnded();
    }
  }

  /** The page was left, reloaded or is gone: so are its ends of the ports. */
  end(): void {
    this.detached = true;
    for (const near of this.#near.values()) near.farEnded();
    this.#near.clear();
  }

  #handOver({ twin }: MessagePortMain): { id: number; connect: () => void } {
    if (twin === null) throw new Error('a port without another end cannot be handed over');
    const id = (portsSoFar += 1);
    this.#near.set(id, twin);
    const far = {
      send: (message: unknown) => this.#say({ tag: 'port', port: id, message }),
      close: () => this.#say({ tag: 'port-close', port: id }),
    };
    return { id, connect: () => twin.connect(far) };
  }

  #say(said: ToWorld): void {
    if (this.detached) return;
    void this.#devTools
      .send('Runtime.callFunctionOn', {
        executionContextId: this.#world,
        functionDeclaration: `(text) => ${receiveName}(text)`,
        arguments: [{ value: JSON.stringify(said) }],
      })
      // The page went meanwhile; its end is told by itself.
      .catch(() => undefined);
  }
}
