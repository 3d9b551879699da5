import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isJSONRPCRequest, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/sdk/types.js';

/** A transport that can say how its server ended. */
export interface EndingTransport extends Transport {
  /** Null when the server is no process of this host, or not yet one. */
  readonly pid: number | null;
  /** Ends it for what it did, which then is how it ended. */
  fail(why: string): void;
  /** How it ended, with what it last said; null while it lives. */
  describeEnd(): Promise<string | null>;
  /** The server let a request's answer go by: nothing more comes for it. */
  onunanswered?: (request: RequestId) => void;
}

/**
 * Keeps book of what was asked and answered, which the SDK does not tell: an answer to what nobody asked ends the
 * server, as nothing it says can be trusted, and so does a request whose answer can no longer come.
 */
export class WatchedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #inner: EndingTransport;
  readonly #asked = new Set<RequestId>();
  #last: RequestId | null = null;
  #protocol: string | null = null;

  constructor(inner: EndingTransport) {
    this.#inner = inner;
  }

  /** The id of the request that was sent last. */
  get lastRequest(): RequestId | null {
    return this.#last;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  /** What was agreed on at the greeting. */
  get protocolVersion(): string | null {
    return this.#protocol;
  }

  setProtocolVersion(version: string): void {
    this.#protocol = version;
    this.#inner.setProtocolVersion?.(version);
  }

  async start(): Promise<void> {
    const inner = this.#inner;
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => {
      this.onerror?.(error);
      if (this.#asked.size > 0 && error.message.startsWith('Maximum reconnection attempts')) {
        inner.fail('broke off its stream, which could not be taken up again');
      }
    };
    inner.onmessage = (message, extra) => {
      if (this.#isAnswerToNothing(message)) return;
      this.onmessage?.(message, extra);
    };
    inner.onunanswered = (request) => {
      if (this.#asked.has(request)) inner.fail('ended its stream without an answer');
    };
    await inner.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (isJSONRPCRequest(message)) {
      this.#last = message.id;
      this.#asked.add(message.id);
    }
    await this.#inner.send(message, options);
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }

  #isAnswerToNothing(message: JSONRPCMessage): boolean {
    if ('method' in message) return false;
    const { id } = message;
    if (id !== undefined && this.#asked.delete(id)) return false;
    const error = 'error' in message ? ` (${message.error.message})` : '';
    const named = id === undefined ? 'without an id' : `with the id ${JSON.stringify(id)}`;
    this.#inner.fail(`answered a request that was never made, ${named}${error}`);
    return true;
  }
}
