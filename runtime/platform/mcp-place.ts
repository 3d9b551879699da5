import type { McpServer, McpValue } from '../contract/index.ts';
import { LabError, type KnownSecret } from '../core/index.ts';

/** How one of the lab's own MCP servers is started. */
export interface BuiltInServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Where a server is, with every secret filled in: it lives as long as the session and is written nowhere. */
export type McpPlace = {
  /** The secrets that stand in it. */
  readonly secrets: readonly KnownSecret[];
} & (
  | ({ readonly transport: 'stdio' } & BuiltInServer)
  | { readonly transport: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
);

export interface PlaceParts {
  /** What `lab:NAME` stands for. */
  readonly builtInServers: Readonly<Record<string, BuiltInServer>>;
  /** The value of the vault's secret of that name, as it is now. Rejects for one that is not there. */
  readonly resolveSecret: (name: string) => Promise<string>;
}

const ownServer = 'lab:';

/**
 * Where the server is now. Throws `invalid-input` for one of the lab's that does not exist and for a secret that would
 * go over the network in the clear, and whatever `resolveSecret` throws.
 */
export async function resolvePlace(server: string, described: McpServer, parts: PlaceParts): Promise<McpPlace> {
  if ('url' in described) {
    const filled = await fill(described.headers, parts);
    if (filled.secrets.length > 0) requirePrivate(server, described.url);
    return { transport: 'http', url: described.url, headers: filled.values, secrets: filled.secrets };
  }
  const { command, args } = described;
  const { values: env, secrets } = await fill(described.env, parts);
  if (!command.startsWith(ownServer)) return { transport: 'stdio', command, args, env, secrets };
  const own = command.slice(ownServer.length);
  const { builtInServers } = parts;
  const found = Object.hasOwn(builtInServers, own) ? builtInServers[own] : undefined;
  if (found === undefined) {
    const known = Object.keys(builtInServers).map((name) => ownServer + name);
    throw new LabError('invalid-input', `the lab has no MCP server ${command}: it has ${known.join(', ') || 'none'}`);
  }
  const filled = { args: [...found.args, ...args], env: { ...found.env, ...env } };
  return { transport: 'stdio', command: found.command, ...filled, secrets };
}

/** A server as it may be shown: where it is without what may be secret there, and the secrets that it is given. */
export function describePlace(described: McpServer): {
  readonly transport: 'stdio' | 'http';
  /** The program with its arguments, or the address without user, password and query. */
  readonly target: string;
  readonly secrets: readonly string[];
} {
  const isHttp = 'url' in described;
  const values = Object.values(isHttp ? described.headers : described.env);
  const secrets = values.flatMap((value) => (typeof value === 'string' ? [] : [value.secret]));
  if (!isHttp) return { transport: 'stdio', target: [described.command, ...described.args].join(' '), secrets };
  const { origin, pathname } = new URL(described.url);
  return { transport: 'http', target: origin + pathname, secrets };
}

async function fill(
  values: Readonly<Record<string, McpValue>>,
  { resolveSecret }: PlaceParts,
): Promise<{ values: Record<string, string>; secrets: KnownSecret[] }> {
  const secrets: KnownSecret[] = [];
  const filled: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string') {
      filled[name] = value;
      continue;
    }
    filled[name] = await resolveSecret(value.secret);
    secrets.push({ name: value.secret, value: filled[name] });
  }
  return { values: filled, secrets };
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

function requirePrivate(server: string, url: string): void {
  const { protocol, hostname, origin } = new URL(url);
  if (protocol === 'https:' || loopback.test(hostname)) return;
  throw new LabError(
    'invalid-input',
    `the MCP server ${server} would be sent a secret in the clear: its address ${origin} is http:, and not on this machine`,
    'Use its https: address.',
    { server },
  );
}
