import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { EndingTransport } from './watched-transport.ts';

/** Most bytes of one answer; a relay is given far less. */
const answerBytes = 4 * 1024 * 1024;
/** For what has arrived to be read, before a request is given up that its stream did not answer. */
const readingMs = 100;
/** How long a server may take to hear that its session is over. */
const goodbyeMs = 500;

interface HttpPlace {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Streamable HTTP, with what the SDK's transport leaves open: answers are bounded, and a stream that ends without an
 * answer fails its request at once. Redirects are followed within the origin only, so that no header goes elsewhere.
 */
export class HttpTransport extends StreamableHTTPClientTransport implements EndingTransport {
  readonly pid: null = null;
  onunanswered?: (request: RequestId) => void;
  #end: string | null = null;

  constructor({ url, headers }: HttpPlace) {
    super(new URL(url), {
      requestInit: { headers: { ...headers } },
      fetch: (target, init) => this.#fetch(target, init),
    });
  }

  fail(why: string): void {
    this.#end ??= why;
    void super.close();
  }

  describeEnd(): Promise<string | null> {
    return Promise.resolve(this.#end);
  }

  override async close(): Promise<void> {
    if (this.#end === null && this.sessionId !== undefined) {
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, goodbyeMs)));
      // A server that does not hear it will find out by itself.
      await Promise.race([this.terminateSession().catch(() => {}), enough]);
      clearTimeout(timer);
    }
    await super.close();
  }

  async #fetch(...[target, init]: Parameters<FetchLike>): Promise<Response> {
    const response = await fetch(target, init);
    if (!response.ok || response.body === null) return response;
    const { status, headers } = response;
    const request = requestIn(init);
    return new Response(ReadableStream.from(this.#bounded(response.body, request)), { status, headers });
  }

  /** `request` is what the body should answer; null when it is none. */
  async *#bounded(body: ReadableStream<Uint8Array>, request: RequestId | null): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    let tail = '';
    let canResume = false;
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body) {
        bytes += chunk.byteLength;
        // The stream of what was not asked for may go on for ever.
        if (request !== null && bytes > answerBytes) {
          this.fail(`sent more than ${answerBytes} bytes in one answer`);
          return;
        }
        const text = tail + decoder.decode(chunk, { stream: true });
        // An event with an id can be asked for again from there, which the SDK does.
        canResume ||= /(^|[\r\n])id:/.test(text);
        tail = text.slice(-3);
        yield chunk;
      }
    } finally {
      if (request !== null && !canResume) setTimeout(() => this.onunanswered?.(request), readingMs);
    }
  }
}

function requestIn(init: RequestInit | undefined): RequestId | null {
  if (init?.method !== 'POST' || typeof init.body !== 'string') return null;
  const { id, method } = JSON.parse(init.body) as { id?: RequestId; method?: string };
  return method === undefined ? null : (id ?? null);
}
