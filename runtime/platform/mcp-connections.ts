import { join } from 'node:path';
import type { McpServer } from '../contract/index.ts';
import { LabError } from '../core/index.ts';
import type { McpSession } from './mcp-session.ts';
import type { PlatformCall } from './platform-call.ts';

/** How one of the lab's own MCP servers is started. */
export interface BuiltInServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface ConnectionParts {
  readonly builtInServers: Readonly<Record<string, BuiltInServer>>;
  readonly guardGroup: (leader: number) => () => void;
  readonly timeoutMs: number;
}

type User = Pick<PlatformCall, 'run' | 'attempt' | 'release' | 'signal'>;

const ownServer = 'lab:';

/** The MCP sessions of all attempts: one for each (run, attempt, server), opened on first use. */
export class McpConnections {
  readonly #parts: ConnectionParts;
  readonly #sessions = new Map<string, Map<string, Promise<McpSession>>>();

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  /** The attempt's session with a server that the manifest names. A session that has ended is opened again. */
  async session(user: User, server: string): Promise<McpSession> {
    const key = attemptKey(user.run, user.attempt);
    const ofAttempt = this.#sessions.get(key) ?? new Map<string, Promise<McpSession>>();
    this.#sessions.set(key, ofAttempt);
    const open = await ofAttempt.get(server);
    if (open?.isOpen === true) return open;
    const opening = this.#open(user, server);
    ofAttempt.set(server, opening);
    try {
      return await opening;
    } catch (error) {
      ofAttempt.delete(server);
      throw error;
    }
  }

  async release(run: string, attempt: number): Promise<void> {
    const key = attemptKey(run, attempt);
    const sessions = [...(this.#sessions.get(key)?.values() ?? [])];
    this.#sessions.delete(key);
    // One that failed to open has told its caller so.
    await Promise.all(
      sessions.map((opening) =>
        opening.then(
          (session) => session.close(),
          () => {},
        ),
      ),
    );
  }

  async close(): Promise<void> {
    await Promise.all(
      [...this.#sessions.keys()].map((key) => {
        const [run, attempt] = JSON.parse(key) as [string, number];
        return this.release(run, attempt);
      }),
    );
  }

  async #open(user: User, server: string): Promise<McpSession> {
    const { mcp, name } = user.release.manifest;
    const described = Object.hasOwn(mcp, server) ? mcp[server] : undefined;
    if (described === undefined) {
      throw new LabError(
        'invalid-input',
        `relay ${name} has no MCP server ${JSON.stringify(server)}: its relay.json lists ${listed(Object.keys(mcp))}`,
        'Add the server to "mcp" of relay.json, or correct its name.',
        { server },
      );
    }
    // The MCP SDK is loaded when a relay first needs it: an idle host must stay small.
    const { openMcpSession } = await import('./mcp-session.ts');
    return openMcpSession({
      server,
      place: this.#placeOf(described),
      // A relay's own server is one of its frozen sources.
      cwd: join(user.release.folder, 'sources'),
      timeoutMs: this.#parts.timeoutMs,
      signal: user.signal,
      guardGroup: this.#parts.guardGroup,
    });
  }

  #placeOf(described: McpServer): { readonly url: string } | BuiltInServer {
    if ('url' in described) return described;
    if (!described.command.startsWith(ownServer)) return { ...described, env: {} };
    const own = described.command.slice(ownServer.length);
    const { builtInServers } = this.#parts;
    const found = Object.hasOwn(builtInServers, own) ? builtInServers[own] : undefined;
    if (found === undefined) {
      throw new LabError(
        'invalid-input',
        `the lab has no MCP server ${described.command}: it has ${listed(Object.keys(builtInServers).map((known) => ownServer + known))}`,
      );
    }
    return { ...found, args: [...found.args, ...described.args] };
  }
}

function attemptKey(run: string, attempt: number): string {
  return JSON.stringify([run, attempt]);
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
