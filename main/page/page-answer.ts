import type { IncomingMessage } from 'node:http';
import { clientSocketPath } from '../../runtime/contract/index.ts';
import type { PageAccess } from './page-access.ts';
import type { PageFile } from './page-files.ts';

export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

type Request = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** Built files carry a hash of their content in their name: they may be kept, by the browser alone. */
const keptFolder = '/assets/';

/** What a request gets. Nothing but the way in is told to who has not come through it. */
export function answerRequest(request: Request, access: PageAccess, files: ReadonlyMap<string, PageFile>): PageAnswer {
  const refused = refuseStranger(request, access);
  if (refused !== null) return refused;
  const { path, query } = target(request);
  const token = path === '/' ? query.get('token') : null;
  if (token !== null) return access.isToken(token) ? enter(access) : plainAnswer(401, howToEnter);
  if (!access.hasCookie(request.headers)) return plainAnswer(401, howToEnter);
  if (path === clientSocketPath) return plainAnswer(426, 'This is a WebSocket.', { Upgrade: 'websocket' });
  const file = files.get(path);
  if (file === undefined) return plainAnswer(404, 'There is no such page. The lab is at /');
  const caching = path.startsWith(keptFolder) ? 'private, max-age=31536000, immutable' : 'no-store';
  return { status: 200, headers: { 'Content-Type': file.type, 'Cache-Control': caching }, body: file.body };
}

/** Why a WebSocket is refused, or null when it may be opened: by this server's own page alone. */
export function refuseSocket(request: Request, access: PageAccess): PageAnswer | null {
  const refused = refuseStranger(request, access);
  if (refused !== null) return refused;
  if (request.headers.origin === undefined) return plainAnswer(403, 'A WebSocket is opened by the page alone.');
  if (!access.hasCookie(request.headers)) return plainAnswer(401, howToEnter);
  return target(request).path === clientSocketPath ? null : plainAnswer(404, 'There is no such WebSocket.');
}

export function plainAnswer(status: number, sentence: string, headers: Record<string, string> = {}): PageAnswer {
  return {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
    body: `${sentence}\n`,
  };
}

function refuseStranger({ method, headers }: Request, access: PageAccess): PageAnswer | null {
  if (!access.isOwnHost(headers)) {
    return plainAnswer(403, 'Relay Recovery Lab answers only to the address that it printed at its start.');
  }
  if (access.isForeignOrigin(headers)) return plainAnswer(403, 'Pages of another origin may ask nothing here.');
  if (method === 'GET' || method === 'HEAD') return null;
  return plainAnswer(405, 'Only GET and HEAD are answered here.', { Allow: 'GET, HEAD', Connection: 'close' });
}

const howToEnter = `Relay Recovery Lab

This browser may not see the lab yet, or the lab was started again since.
Open the whole address that the lab printed in the terminal at its start:
http://127.0.0.1:PORT/?token=...`;

/** The cookie, and the address without the token: it shall not stay in the address bar. */
function enter({ setCookie }: PageAccess): PageAnswer {
  return plainAnswer(303, 'Go on at /', { Location: '/', 'Set-Cookie': setCookie });
}

/** The path as it was sent: it is only ever compared with known ones. */
function target({ url = '' }: Request): { path: string; query: URLSearchParams } {
  const [path = '', ...rest] = url.split('?');
  return { path, query: new URLSearchParams(rest.join('?')) };
}
