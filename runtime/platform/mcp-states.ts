import type { LabError } from '../core/index.ts';

/** A session as it stands: on its way, or there. */
export interface SessionState {
  readonly relay: string;
  readonly server: string;
  readonly run: string;
  readonly attempt: number;
  readonly state: 'starting' | 'connected';
  /** When it came to this state, in milliseconds since the epoch. */
  readonly since: number;
  /** The server's process; null when it is reached over the network, or not there yet. */
  readonly pid: number | null;
}

/** The last time that a relay's server failed, with nothing good after it. */
export interface ServerFailure {
  readonly relay: string;
  readonly server: string;
  readonly run: string;
  readonly at: number;
  readonly message: string;
  readonly next: string;
}

type About = Pick<SessionState, 'relay' | 'server' | 'run' | 'attempt'>;

/** Whose failures are remembered at most; the oldest are forgotten first. */
const mostFailures = 200;

/** What all sessions are doing now, for people to look at. Nothing is decided by it. */
export class McpStates {
  readonly #now: () => number;
  readonly #sessions = new Map<symbol, SessionState>();
  readonly #failures = new Map<string, ServerFailure>();
  readonly #listeners = new Set<() => void>();

  constructor(now: () => number) {
    this.#now = now;
  }

  sessions(): readonly SessionState[] {
    return [...this.#sessions.values()];
  }

  failures(): readonly ServerFailure[] {
    return [...this.#failures.values()];
  }

  /** Calls back after each change. Returns the way to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** A session on its way; what is returned takes what becomes of it. */
  begin(about: About): {
    connected(this: void, pid: number | null): void;
    failed(this: void, error: Pick<LabError, 'message' | 'next'>): void;
    over(this: void): void;
  } {
    const key = Symbol(about.server);
    const serverKey = JSON.stringify([about.relay, about.server]);
    const set = (state: SessionState['state'], pid: number | null): void => {
      this.#sessions.set(key, { ...about, state, since: this.#now(), pid });
      this.#changed();
    };
    set('starting', null);
    return {
      connected: (pid) => {
        this.#failures.delete(serverKey);
        set('connected', pid);
      },
      failed: ({ message, next }) => {
        const { relay, server, run } = about;
        this.#sessions.delete(key);
        // Set anew, so that the oldest stays the first.
        this.#failures.delete(serverKey);
        this.#failures.set(serverKey, { relay, server, run, at: this.#now(), message, next });
        for (const oldest of [...this.#failures.keys()].slice(0, -mostFailures)) this.#failures.delete(oldest);
        this.#changed();
      },
      over: () => {
        if (this.#sessions.delete(key)) this.#changed();
      },
    };
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
