import type { ServiceProcess } from './service-process.ts';

/** One request to hold an answer back, made of every service that runs meanwhile; the first that holds one wins. */
export class HoldRequest {
  /** The path of the request whose answer is held. Never settles when none is. */
  readonly held: Promise<string>;
  readonly #subject: { readonly run: string; readonly operation: string };
  readonly #stopped = new AbortController();
  readonly #asked = new Set<ServiceProcess>();
  readonly #tell: (path: string) => void;

  constructor(subject: { readonly run: string; readonly operation: string }) {
    this.#subject = subject;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.held = promise;
    this.#tell = resolve;
  }

  /** Resolves when the service knows of it. A service that is gone holds nothing, which is no error of the asker's. */
  async askOf(service: ServiceProcess): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    this.#asked.add(service);
    try {
      const answer = await post(service, '/control/hold', this.#subject, this.#stopped.signal);
      void this.#await(answer);
    } catch {
      this.#asked.delete(service);
    }
  }

  /** Withdraws the request and frees the answer that is held. */
  stop(): void {
    this.#stopped.abort();
    for (const service of this.#asked) {
      if (service.isAlive)
        void post(service, '/control/release', this.#subject, AbortSignal.timeout(2000)).catch(() => {});
    }
  }

  async #await(answer: Response): Promise<void> {
    try {
      const { held, path } = (await answer.json()) as { held?: boolean; path?: string };
      if (held === true && path !== undefined) this.#tell(path);
    } catch {
      // Withdrawn, or the service is gone: nothing was held.
    }
  }
}

function post(service: ServiceProcess, path: string, body: object, signal: AbortSignal): Promise<Response> {
  return fetch(service.baseUrl + path, { method: 'POST', body: JSON.stringify(body), signal });
}
