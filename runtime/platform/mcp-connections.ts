import { join } from 'node:path';
import type { McpServer } from '../contract/index.ts';
import { asLabError, LabError } from '../core/index.ts';
import { resolvePlace, type PlaceParts } from './mcp-place.ts';
import type { McpSession, SessionParts } from './mcp-session.ts';
import { McpStates } from './mcp-states.ts';
import { throwIfStopped, type PlatformCall } from './platform-call.ts';

/** What it takes to open a session. */
export interface SessionSources extends PlaceParts {
  readonly guardGroup: (leader: number) => () => void;
  /** For a server whose description names no other limit. */
  readonly timeoutMs: number;
}

interface ConnectionParts extends SessionSources {
  /** How long an answer that nobody waits for any more is waited for. */
  readonly lateMs: number;
  readonly now: () => number;
}

type User = Pick<PlatformCall, 'run' | 'attempt' | 'release' | 'runDir' | 'signal'>;

interface Opened {
  readonly opening: Promise<McpSession>;
  session: McpSession | null;
}

/** The MCP sessions of all attempts: one for each (run, attempt, server), opened on first use. */
export class McpConnections {
  readonly states: McpStates;
  readonly #parts: ConnectionParts;
  readonly #attempts = new Map<string, Map<string, Opened>>();
  /** Sessions of attempts that are over, which wait for a late answer. */
  readonly #lingering = new Set<Promise<void>>();
  readonly #cut = Promise.withResolvers<void>();

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.states = new McpStates(parts.now);
  }

  /**
   * The attempt's session with a server that the manifest names, with its present tools. One that has ended is opened
   * again. Throws `cancelled` for an attempt that is over: what it opened would never be let go.
   */
  async session(user: User, server: string): Promise<McpSession> {
    throwIfStopped(`the MCP server ${server}`, user.signal);
    const key = attemptKey(user.run, user.attempt);
    const ofAttempt = this.#attempts.get(key) ?? new Map<string, Opened>();
    this.#attempts.set(key, ofAttempt);
    const found = ofAttempt.get(server);
    if (found !== undefined && found.session?.isOpen !== false) {
      const session = await found.opening;
      await session.refresh(user.signal);
      return session;
    }
    const opened: Opened = { opening: this.#open(user, server), session: null };
    ofAttempt.set(server, opened);
    try {
      return (opened.session = await opened.opening);
    } catch (error) {
      if (ofAttempt.get(server) === opened) ofAttempt.delete(server);
      throw error;
    }
  }

  /**
   * Ends the attempt's sessions. One with a call in flight is left a short while, so that an answer that still comes is
   * not lost; this does not wait for that.
   */
  async release(run: string, attempt: number): Promise<void> {
    const key = attemptKey(run, attempt);
    const sessions = [...(this.#attempts.get(key)?.values() ?? [])];
    this.#attempts.delete(key);
    await Promise.all(
      sessions.map(({ opening }) =>
        opening.then(
          (session) => this.#letGo(session),
          () => {
            // One that failed to open has told its caller so.
          },
        ),
      ),
    );
  }

  /** Ends everything now, also what waits for a late answer. */
  async close(): Promise<void> {
    this.#cut.resolve();
    await Promise.all(
      [...this.#attempts.keys()].map((key) => {
        const [run, attempt] = JSON.parse(key) as [string, number];
        return this.release(run, attempt);
      }),
    );
    await Promise.all(this.#lingering);
  }

  async #letGo(session: McpSession): Promise<void> {
    const answered = session.answered();
    if (answered === null) {
      await session.close();
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, this.#parts.lateMs)));
    const lingering = Promise.race([answered, enough, this.#cut.promise])
      .then(() => session.close())
      .finally(() => {
        clearTimeout(timer);
        this.#lingering.delete(lingering);
      });
    this.#lingering.add(lingering);
  }

  async #open(user: User, server: string): Promise<McpSession> {
    const { mcp, name } = user.release.manifest;
    const described = describedServer({ relay: name, mcp }, server);
    const progress = this.states.begin({ relay: name, server, run: user.run, attempt: user.attempt });
    try {
      const session = await openSession(this.#parts, server, described, {
        // A relay's own server is one of its frozen sources.
        cwd: join(user.release.folder, 'sources'),
        stderr: { runDir: user.runDir, attempt: user.attempt, server },
        signal: user.signal,
      });
      progress.connected(session.pid);
      void session.ended.then((end) => {
        if (end === null) progress.over();
        else progress.failed({ message: `the MCP server ${server} ${end}`, next: '' });
      });
      return session;
    } catch (error) {
      if (user.signal.aborted) progress.over();
      else progress.failed(asLabError(error));
      throw error;
    }
  }
}

/** The server of that name in a manifest. Throws `invalid-input` naming what there is. */
export function describedServer(
  { relay, mcp }: { readonly relay: string; readonly mcp: Readonly<Record<string, McpServer>> },
  server: string,
): McpServer {
  const described = Object.hasOwn(mcp, server) ? mcp[server] : undefined;
  if (described !== undefined) return described;
  throw new LabError(
    'invalid-input',
    `relay ${relay} has no MCP server ${JSON.stringify(server)}: its relay.json lists ${Object.keys(mcp).join(', ') || 'none'}`,
    'Add the server to "mcp" of relay.json, or correct its name.',
    { server },
  );
}

/** Opens a session with a server as it is described, its secrets resolved now. */
export async function openSession(
  sources: SessionSources,
  server: string,
  described: McpServer,
  where: Pick<SessionParts, 'cwd' | 'stderr' | 'signal'>,
): Promise<McpSession> {
  const { guardGroup, timeoutMs } = sources;
  const place = await resolvePlace(server, described, sources);
  // The MCP SDK is loaded when a relay first needs it: an idle host must stay small.
  const { openMcpSession } = await import('./mcp-session.ts');
  return openMcpSession({
    ...{ server, place, guardGroup, ...where },
    allowed: described.tools ?? null,
    timeoutMs: described.timeoutMs ?? timeoutMs,
  });
}

function attemptKey(run: string, attempt: number): string {
  return JSON.stringify([run, attempt]);
}
