import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly protocolVersion?: string };
}

/** Answers a call of a tool in its own way. */
type Way = (message: Message, response: ServerResponse) => void;

const json = { 'content-type': 'application/json' };
const events = { 'content-type': 'text/event-stream' };

/** One way a tool; every other request is answered as it should be. */
const ways: Readonly<Record<string, Way>> = {
  fine: ({ id }, response) => response.writeHead(200, json).end(result(id, 'fine')),
  unauthorized: (_, response) => response.writeHead(401).end('who are you?'),
  forbidden: (_, response) => response.writeHead(403).end('not you'),
  missing: (_, response) => response.writeHead(404).end('no such place'),
  broken: (_, response) => response.writeHead(500, json).end('{"error":"boom"}'),
  elsewhere: (_, response) => response.writeHead(307, { location: 'http://127.0.0.2:9/mcp' }).end(),
  page: (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello</html>'),
  'no-json': (_, response) => response.writeHead(200, json).end('<html>hello</html>'),
  'wrong-id': (_, response) => response.writeHead(200, json).end(result(99, 'lost')),
  cut: (_, response) => response.writeHead(200, events).write(': here it comes\n\n', () => response.destroy()),
  ended: (_, response) => response.writeHead(200, events).end(': that was all\n\n'),
  garbage: (_, response) => response.writeHead(200, events).end('data: {"jsonrpc": oops\n\n'),
  flood: (_, response) => response.writeHead(200, json).end(JSON.stringify('x'.repeat(5 * 1024 * 1024))),
  hang: () => {},
};

/** A streamable HTTP server of MCP in this process whose tools break the rules of the transport. */
export async function startUnrulyHttp(): Promise<
  { readonly url: string; readonly headers: IncomingMessage['headers'][] } & AsyncDisposable
> {
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => answer(JSON.parse(body) as Message, response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    headers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(message: Message, response: ServerResponse): void {
  const { id, method, params } = message;
  if (id === undefined) return void response.writeHead(202).end();
  const give = (value: unknown): void =>
    void response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, result: value }));
  if (method === 'initialize') {
    const serverInfo = { name: 'unruly-http', version: '1' };
    return give({ protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo });
  }
  if (method === 'tools/list') {
    return give({ tools: Object.keys(ways).map((name) => ({ name, inputSchema: { type: 'object' } })) });
  }
  ways[params?.name ?? '']?.(message, response);
}

function result(id: number | undefined, text: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
}
