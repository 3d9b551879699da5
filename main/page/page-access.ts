import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Who may see the page: whoever opened it with the token once, from its own origin and no other. */
export interface PageAccess {
  readonly token: string;
  /** Sent by a browser that has shown the token. */
  readonly setCookie: string;
  /** Names that a request may call this host by; any other was led here by a foreign name (DNS rebinding). */
  isOwnHost(headers: IncomingHttpHeaders): boolean;
  /** Whether a page of another origin asks. A navigation, and a program, name none. */
  isForeignOrigin(headers: IncomingHttpHeaders): boolean;
  isToken(given: string | null): boolean;
  hasCookie(headers: IncomingHttpHeaders): boolean;
}

/** 256 bits from the system. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export function pageAccess(port: number, token: string): PageAccess {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  // Browsers share cookies among all ports of a host: the port in the name keeps two labs apart.
  const cookie = `recovery-lab-${port}`;
  return {
    token,
    setCookie: `${cookie}=${token}; Path=/; HttpOnly; SameSite=Strict`,
    isOwnHost: ({ host }) => host !== undefined && hosts.includes(host),
    isForeignOrigin: ({ host, origin }) => origin !== undefined && origin !== `http://${host ?? ''}`,
    isToken: (given) => given !== null && areEqual(given, token),
    hasCookie: (headers) => cookieValues(headers.cookie ?? '', cookie).some((value) => areEqual(value, token)),
  };
}

/** In constant time, whatever the length. */
function areEqual(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function cookieValues(header: string, name: string): string[] {
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}
