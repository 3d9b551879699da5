import { createServer, STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { clientFrameBytes, serveClient, type ClientService } from '../../runtime/contract/index.ts';
import { LabError } from '../../runtime/core/index.ts';
import { newToken, pageAccess } from './page-access.ts';
import { answerRequest, plainAnswer, refuseSocket, type PageAnswer } from './page-answer.ts';
import { readPageFiles } from './page-files.ts';
import { securityHeaders } from './security-headers.ts';
import { watchPeer, webSocketPort } from './web-socket-port.ts';

export interface PageServer {
  /** Address with the token: whoever has it may do all that the lab can. */
  readonly url: string;
  /** Takes nothing new and ends every connection. */
  close(): Promise<void>;
}

/** The built page, beside the built programs. */
const builtPage = join(import.meta.dirname, '../renderer');

const bounds = {
  headersTimeout: 5000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16 * 1024,
  // A missing Host is refused like a foreign one; an upgrade to anything else is answered like a plain request.
  requireHostHeader: false,
  shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket',
} as const;
const pingMs = 15_000;
/** How long pages may take to say goodbye. */
const farewellMs = 500;
const goingAway = 1001;

/**
 * Serves the page and the client API on 127.0.0.1; port 0 takes any that is free. Throws `locked` when the port is
 * taken, and `not-found` when there is no built page.
 */
export async function servePage(lab: ClientService, wantedPort: number): Promise<PageServer> {
  const files = readPageFiles(builtPage);
  const server = createServer(bounds);
  const port = await listen(server, wantedPort);
  const access = pageAccess(port, newToken());
  const address = `127.0.0.1:${port}`;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: clientFrameBytes.toHost,
    perMessageDeflate: false,
  });

  server.on('request', (incoming, outgoing) => {
    const { status, headers, body } = answerRequest(incoming, access, files);
    const host = access.isOwnHost(incoming.headers) ? incoming.headers.host : undefined;
    outgoing.writeHead(status, {
      ...securityHeaders(`ws://${host ?? address}`),
      ...headers,
      'Content-Length': Buffer.byteLength(body),
    });
    outgoing.end(incoming.method === 'HEAD' ? undefined : body);
  });
  server.on('upgrade', (incoming, socket, head) => {
    socket.on('error', () => undefined);
    const refused = refuseSocket(incoming, access);
    if (refused !== null) return endRaw(socket, refused);
    sockets.handleUpgrade(incoming, socket, head, (opened) => {
      watchPeer(opened, pingMs);
      serveClient(webSocketPort(opened, clientFrameBytes.fromHost), lab);
    });
  });
  sockets.on('wsClientError', (_error, socket) => endRaw(socket, plainAnswer(400, 'This is no WebSocket handshake.')));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => endRaw(socket, answerBroken(error.code)));

  /** Where Node has no response to write to: refused upgrades and what is no HTTP. */
  function endRaw(socket: Duplex, { status, headers, body }: PageAnswer): void {
    if (!socket.writable) return void socket.destroy();
    const lines = Object.entries({
      ...securityHeaders(`ws://${address}`),
      ...headers,
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${String(body)}`, () =>
      socket.destroy(),
    );
  }

  return {
    url: `http://${address}/?token=${access.token}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets.clients) socket.close(goingAway, 'the host has ended');
      const timer = setTimeout(() => {
        for (const socket of sockets.clients) socket.terminate();
      }, farewellMs);
      server.closeAllConnections();
      await closed;
      clearTimeout(timer);
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(port, error)));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function cannotListen(port: number, error: NodeJS.ErrnoException): LabError {
  const next = 'Choose another one with --port, or leave it out for any that is free.';
  if (error.code === 'EADDRINUSE') {
    return new LabError('locked', `port ${port} of 127.0.0.1 is taken by another program`, next);
  }
  return new LabError('invalid-input', `port ${port} of 127.0.0.1 cannot be listened on: ${error.message}`, next);
}

function answerBroken(code: string | undefined): PageAnswer {
  if (code === 'HPE_HEADER_OVERFLOW') return plainAnswer(431, 'The headers of this request are too long.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return plainAnswer(408, 'This request took too long to arrive.');
  return plainAnswer(400, 'This is no HTTP request.');
}
