import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { webSocketPort } from '../../main/page/web-socket-port.ts';
import { clientFrameBytes, clientSocketPath, connectClient, type LabClient } from '../../runtime/contract/index.ts';

const command = fileURLToPath(new URL('../../out/main/recovery-lab.js', import.meta.url));

/** What the command says once it serves. */
interface Said {
  readonly url: string;
  readonly pid: number;
  readonly dataFolder: string;
  readonly ephemeral: boolean;
}

export interface HostEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** The built headless host in a process of its own. Dispose of it, or it is left running. */
export class LabPage {
  readonly said: Said;
  readonly origin: string;
  readonly token: string;
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #ended: Promise<HostEnd>;

  private constructor(said: Said, child: LabPage['child'], ended: Promise<HostEnd>) {
    const url = new URL(said.url);
    this.said = said;
    this.origin = url.origin;
    this.token = url.searchParams.get('token') ?? '';
    this.child = child;
    this.#ended = ended;
  }

  /** `recovery-lab page --no-open` with these words added; resolves once it serves, rejects when it ends before. */
  static async start(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<LabPage> {
    const child = spawn(process.execPath, [command, 'page', '--no-open', '--json', ...words], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (part) => (stderr += String(part)));
    const ended = once(child, 'close').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      stderr,
    }));
    const line = once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text));
    const first = await Promise.race([line, ended]);
    const said = typeof first === 'string' ? (JSON.parse(first) as Said | { error: unknown }) : null;
    if (said !== null && 'url' in said) return new LabPage(said, child, ended);
    const { code, stderr: why } = await ended;
    throw new Error(`the host ended with ${code ?? 'a signal'}: ${why}`);
  }

  /** The cookie that a browser has after it opened the address, ready to be sent. */
  async cookie(): Promise<string> {
    const { headers } = await fetch(this.said.url, { redirect: 'manual' });
    return (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  }

  /** A WebSocket as the page opens it, with these headers instead of the right ones. */
  async socket(headers: Record<string, string> = {}): Promise<WebSocket> {
    const right = { Cookie: await this.cookie(), Origin: this.origin };
    return new WebSocket(`${this.origin.replace('http', 'ws')}${clientSocketPath}`, {
      headers: { ...right, ...headers },
    });
  }

  /** A client as the page has one. */
  async client(): Promise<LabClient> {
    const socket = await this.socket();
    await once(socket, 'open');
    return connectClient(webSocketPort(socket, clientFrameBytes.toHost));
  }

  /** Resolves when the process is gone, whoever ended it. */
  get ended(): Promise<HostEnd> {
    return this.#ended;
  }

  async end(signal: NodeJS.Signals): Promise<HostEnd> {
    this.child.kill(signal);
    return this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL');
  }
}
