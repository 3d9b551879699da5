/**
 * Chromium knows no `app:` scheme: it sees `https://lab.app.test/` where the host says `app://lab/`. The name cannot be
 * resolved; every request is answered by the host's own protocol handler or refused.
 */
export function toBrowser(address: string): string {
  const { protocol, host, pathname, search, hash } = new URL(address);
  return `https://${host}.${protocol.slice(0, -1)}.test${pathname}${search}${hash}`;
}

/** The host's own address of what the browser asks for, without its fragment; null for a place outside. */
export function toHost(address: string): string | null {
  const found = /^https:\/\/(?<host>[^/.]+)\.(?<scheme>[^/.]+)\.test(?<rest>\/[^#]*)?/.exec(address);
  if (found?.groups === undefined) return null;
  const { host = '', scheme = '', rest = '/' } = found.groups;
  return `${scheme}://${host}${rest}`;
}
