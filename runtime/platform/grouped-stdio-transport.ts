import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { StderrCapture } from './mcp-stderr.ts';
import type { EndingTransport } from './watched-transport.ts';

interface ServerCommand {
  readonly server: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the variables that every server gets. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly guardGroup: (leader: number) => () => void;
  readonly stderr: StderrCapture;
}

/** Variables of the host that an MCP server is given; no other, because secrets lie there. */
const inherited = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'USER'];

/** How long a server may take to end after its stdin was closed, and how long its pipes may outlive it. */
const graceMs = 1000;
const shownCharacters = 500;
/** The longest line that is taken; a relay is given far less. */
const lineBytes = 4 * 1024 * 1024;

/**
 * MCP over a child process's stdin and stdout. The SDK's own transport starts the server in the host's process group,
 * where nothing can end the server's children; this one gives each server a group of its own and ends the whole group.
 * It is strict: a line on stdout that is no message ends the session, as the protocol forbids it.
 */
export class GroupedStdioTransport implements EndingTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #command: ServerCommand;
  readonly #incoming = new ReadBuffer({ maxBufferSize: lineBytes });
  #child: ChildProcessWithoutNullStreams | null = null;
  #closed: Promise<void> | null = null;
  #end: string | null = null;

  constructor(command: ServerCommand) {
    this.#command = command;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  async start(): Promise<void> {
    const { command, args, env, cwd, guardGroup, stderr } = this.#command;
    const child = spawn(command, [...args], { cwd, env: { ...inheritedEnv(), ...env }, stdio: 'pipe', detached: true });
    try {
      await once(child, 'spawn');
    } catch (error) {
      stderr.close();
      this.#end = `could not be started: ${command}: ${error instanceof Error ? error.message : String(error)}`;
      throw error;
    }
    this.#child = child;
    const leader = child.pid ?? 0;
    const unguard = guardGroup(leader);
    this.#closed = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#end ??= signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
        killGroup(leader);
        unguard();
        // What is left of the group may hold the pipes open for ever.
        const destroy = setTimeout(() => [child.stdout, child.stderr].forEach((pipe) => pipe.destroy()), graceMs);
        child.once('close', () => {
          clearTimeout(destroy);
          stderr.close();
          resolve();
          this.onclose?.();
        });
      });
    });
    // A write to a server that is gone: its exit says more.
    child.stdin.on('error', () => {});
    child.stderr.on('data', (chunk: Buffer) => stderr.take(chunk));
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || !stdin.writable) throw new Error('the server is gone');
    if (!stdin.write(serializeMessage(message))) await Promise.race([once(stdin, 'drain'), this.#closed]);
  }

  /** Closes its stdin, which asks it to end, and ends the group when it has not after the grace time. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === null || this.#closed === null) return;
    child.stdin.end();
    const kill = setTimeout(() => killGroup(child.pid ?? 0), graceMs);
    await this.#closed;
    clearTimeout(kill);
  }

  /** How the server ended, with the last of what it said on stderr; null while it lives. */
  async describeEnd(): Promise<string | null> {
    if (this.#end === null) return null;
    await this.#closed;
    const said = this.#command.stderr.lastWords();
    return said === '' ? this.#end : `${this.#end} (it last said: ${said})`;
  }

  /** Ends the server for what it did. */
  fail(why: string): void {
    this.#end ??= `${why}, and was ended`;
    killGroup(this.#child?.pid ?? 0);
  }

  #read(chunk: Buffer): void {
    if (this.#end !== null) return;
    try {
      this.#incoming.append(chunk);
    } catch {
      this.fail(`wrote a line of more than ${lineBytes} bytes to stdout`);
      return;
    }
    try {
      for (let message = this.#incoming.readMessage(); message !== null; message = this.#incoming.readMessage()) {
        this.onmessage?.(message);
      }
    } catch {
      const text = chunk.toString('utf8');
      const shown = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
      this.#end ??= `wrote to stdout what is no MCP message, and was ended: ${JSON.stringify(shown)}`;
      killGroup(this.#child?.pid ?? 0);
    }
  }
}

function inheritedEnv(): Record<string, string> {
  return Object.fromEntries(
    inherited.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function killGroup(leader: number): void {
  if (leader <= 0) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}
