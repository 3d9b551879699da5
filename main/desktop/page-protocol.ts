import { protocol } from 'electron';
import { readPageFiles } from '../page/page-files.ts';
import { securityHeaders } from '../page/security-headers.ts';
import { pageOrigin, pageScheme } from './page-origin.ts';

/** To be called before the app is ready: the scheme counts as a secure origin of its own. */
export function declarePageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: pageScheme, privileges: { standard: true, secure: true, codeCache: true } },
  ]);
}

/** Serves the built page at `app://lab/`, and nothing else at any address of that scheme. */
export function servePageScheme(folder: string): void {
  const files = readPageFiles(folder);
  const headers = securityHeaders(null);
  protocol.handle(pageScheme, ({ url, method }) => {
    const { host, pathname } = new URL(url);
    const file = `${pageScheme}://${host}` === pageOrigin && method === 'GET' ? files.get(pathname) : undefined;
    if (file === undefined) return new Response('not found', { status: 404, headers });
    return new Response(new Uint8Array(file.body), { headers: { ...headers, 'Content-Type': file.type } });
  });
}
