import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { fromChild, type FromChild, type ToChild } from '../../runtime/contract/index.ts';
import { toWireError, type HistoryEntry, type Json, type OperationId, type Outcome } from '../../runtime/core/index.ts';
import { sandboxEnvironment, sandboxFlags } from '../../runtime/supervisor/sandbox.ts';
import { MessageLedger } from './message-ledger.ts';

export type Frame<Tag extends FromChild['tag']> = Extract<FromChild, { tag: Tag }>;
type Phase = 'before-intent' | 'after-intent' | 'before-checkpoint' | 'after-checkpoint' | 'between-tries';

export interface AttemptOrder {
  readonly input?: Json;
  readonly variables?: Record<string, string>;
  readonly waitForIntents?: boolean;
  /** The process is killed when the operation of this id or name passes the phase. */
  readonly killAt?: `${string}@${Phase}`;
  /** The host closes its end of the socket at the first such frame. */
  readonly hangUpAt?: FromChild['tag'];
  readonly platform?: (call: Frame<'perform'>, callTool: CallTool) => Json | Promise<Json>;
  readonly answer?: (question: Frame<'ask'>) => Json;
  /** Sees each frame; what it gives is sent back at once. */
  readonly onFrame?: (frame: FromChild) => readonly ToChild[];
}
type CallTool = (name: string, args: Json) => Promise<Outcome>;

export interface AttemptEnd {
  readonly frames: readonly FromChild[];
  readonly result: Frame<'result'> | null;
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Both programs as they ship: the sdk in one file, relays compiled as a release does it. */
export class SdkLab implements Disposable {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'lab-sdk-')));
  readonly sdk = join(this.folder, 'sdk.mjs');

  async buildSdk(): Promise<void> {
    const options = { bundle: true, format: 'esm', platform: 'node', target: 'node22' } as const;
    const small = { minifySyntax: true, minifyWhitespace: true, legalComments: 'inline' } as const;
    await build({ ...options, ...small, entryPoints: [source('../../runtime/sdk/sdk.ts')], outfile: this.sdk });
  }

  /** Compiles a relay of `tests/fixtures/sdk-relays`; gives the bundle's path. */
  async relay(name: string, legacyDecorators = true): Promise<string> {
    const folder = source('../fixtures/sdk-relays');
    const outfile = join(this.folder, 'release', name, 'bundle', 'entry.mjs');
    await build({
      absWorkingDir: folder,
      entryPoints: [join(folder, `${name}.ts`)],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node22',
      external: ['@dbos-inc/dbos-sdk', 'agentworks'],
      sourcemap: 'linked',
      sourcesContent: false,
      keepNames: true,
      tsconfigRaw: { compilerOptions: { experimentalDecorators: legacyDecorators, useDefineForClassFields: true } },
    });
    return outfile;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function source(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** A host with its ledger in memory: runs attempts of one run as real processes, and plays the engine's part. */
export class ScriptedHost {
  readonly history = new Map<OperationId, HistoryEntry>();
  readonly messages = new MessageLedger();
  readonly run: string;
  readonly #lab: SdkLab;
  readonly #bundle: string;
  #attempts = 0;

  constructor(lab: SdkLab, bundle: string, run = 'run-1') {
    this.#lab = lab;
    this.#bundle = bundle;
    this.run = run;
  }

  /** One process, from its start to its end. */
  async attempt(order: AttemptOrder = {}): Promise<AttemptEnd> {
    const runDir = join(this.#lab.folder, 'runs', this.run);
    mkdirSync(runDir, { recursive: true });
    const reach = { readable: [this.#lab.sdk, dirname(this.#bundle)], writable: runDir };
    const child = spawn(process.execPath, [...sandboxFlags(reach), this.#lab.sdk], {
      cwd: runDir,
      env: sandboxEnvironment(runDir, { execPath: process.execPath, env: {} }),
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    const [, out, err, socket] = child.stdio;
    if (out === null || err === null || !(socket instanceof Duplex)) throw new Error('the process has no pipes');
    const talk = new Talk(this, order, socket, () => child.kill('SIGKILL'));
    this.#attempts += 1;
    for (const entry of this.history.values()) talk.send({ tag: 'history', entries: [entry] });
    talk.send({
      tag: 'start',
      run: this.run,
      attempt: this.#attempts,
      input: JSON.stringify(order.input === undefined ? {} : order.input),
      variables: order.variables ?? {},
      bundle: this.#bundle,
      runDir,
      attemptBudget: 3,
      deadlineAt: Date.now() + 3_600_000,
      waitForIntents: order.waitForIntents ?? false,
    });
    const [stdout, stderr, [code, signal]] = await Promise.all([
      text(out),
      text(err),
      once(child, 'exit') as Promise<[number | null, string | null]>,
    ]);
    await talk.over;
    const result = talk.frames.find((frame) => frame.tag === 'result') ?? null;
    return { frames: talk.frames, result, code, signal, stdout, stderr };
  }

  entry(id: string): HistoryEntry | undefined {
    return this.history.get(id as OperationId);
  }

  /** `id kind name state` of each operation, in the order in which they were first recorded. */
  get outline(): string[] {
    return [...this.history.values()].map(({ id, kind, name, state }) => `${id} ${kind} ${name} ${state}`);
  }
}

/** The conversation of one attempt. */
class Talk {
  readonly frames: FromChild[] = [];
  readonly over: Promise<void>;
  readonly #host: ScriptedHost;
  readonly #order: AttemptOrder;
  readonly #socket: Duplex;
  readonly #kill: () => void;
  readonly #toolCalls = new Map<number, (outcome: Outcome) => void>();
  #killed = false;

  constructor(host: ScriptedHost, order: AttemptOrder, socket: Duplex, kill: () => void) {
    this.#host = host;
    this.#order = order;
    this.#socket = socket;
    this.#kill = kill;
    this.over = this.#listen();
  }

  send(frame: ToChild): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify(frame)}\n`);
  }

  async #listen(): Promise<void> {
    this.#socket.setEncoding('utf8');
    this.#socket.on('error', () => undefined);
    let received = '';
    this.#socket.on('data', (data: string) => {
      const lines = (received + data).split('\n');
      received = lines.pop() ?? '';
      for (const line of lines) this.#onFrame(fromChild.parse(JSON.parse(line)));
    });
    await new Promise((resolve) => this.#socket.on('close', resolve));
  }

  #onFrame(frame: FromChild): void {
    // What the kill overtook was never seen by a host.
    if (this.#killed) return;
    this.frames.push(frame);
    if (frame.tag === this.#order.hangUpAt) {
      this.#socket.destroy();
      return;
    }
    for (const answer of this.#order.onFrame?.(frame) ?? []) this.send(answer);
    switch (frame.tag) {
      case 'intend':
        if (this.#passes('before-intent', frame)) return;
        this.#intend(frame);
        if (this.#passes('after-intent', frame)) return;
        if (frame.wait) this.send({ tag: 'ack', id: frame.id, phase: 'intent' });
        return;
      case 'checkpoint':
        if (this.#checkpoint(frame)) this.send({ tag: 'ack', id: frame.id, phase: 'checkpoint' });
        return;
      case 'perform':
        void this.#perform(frame);
        return;
      case 'ask':
        this.send({ tag: 'reply', call: frame.call, outcome: this.#answer(frame) });
        return;
      case 'tool-result':
        this.#toolCalls.get(frame.call)?.(frame.outcome);
        return;
      case 'try':
        if (frame.retryInMs !== null) this.#passes('between-tries', frame);
        return;
      case 'result':
        this.send({ tag: 'exit', code: 0 });
        return;
      default:
    }
  }

  async #perform(frame: Frame<'perform'>): Promise<void> {
    if (this.#passes('before-intent', frame)) return;
    this.#intend(frame);
    if (this.#passes('after-intent', frame)) return;
    const outcome = await this.#carryOut(frame);
    if (this.#killed || outcome === null) return;
    if (this.#checkpoint({ tag: 'checkpoint', id: frame.id, outcome }))
      this.send({ tag: 'settled', id: frame.id, outcome });
  }

  async #carryOut(frame: Frame<'perform'>): Promise<Outcome | null> {
    if (frame.kind !== 'agent' && frame.kind !== 'mcp') return this.#host.messages.carryOut(frame);
    const callTool: CallTool = (name, args) => {
      const call = this.#toolCalls.size;
      this.send({
        ...{ tag: 'tool', call, id: frame.id, operation: null, purpose: 'run', name },
        arguments: JSON.stringify(args),
      });
      return new Promise((resolve) => this.#toolCalls.set(call, resolve));
    };
    try {
      return { ok: true, value: JSON.stringify({ json: (await this.#order.platform?.(frame, callTool)) ?? null }) };
    } catch (thrown) {
      return { ok: false, error: toWireError(thrown) };
    }
  }

  #answer(frame: Frame<'ask'>): Outcome {
    try {
      const own = this.#host.messages.answer(frame);
      return { ok: true, value: JSON.stringify(own === undefined ? (this.#order.answer?.(frame) ?? null) : own) };
    } catch (thrown) {
      return { ok: false, error: toWireError(thrown) };
    }
  }

  #intend(frame: Frame<'intend'> | Frame<'perform'>): void {
    const { id, kind, name, arguments: args, repeatable } = frame;
    this.#host.history.set(id, { id, kind, name, arguments: args, repeatable, state: 'intended', outcome: null });
  }

  #checkpoint({ id, outcome }: Frame<'checkpoint'>): boolean {
    const entry = this.#host.history.get(id);
    if (entry === undefined) throw new Error(`checkpoint of ${id} without an intent`);
    if (this.#passes('before-checkpoint', entry)) return false;
    this.#host.history.set(id, { ...entry, state: 'checkpointed', outcome });
    return !this.#passes('after-checkpoint', entry);
  }

  #passes(phase: Phase, { id, name = '' }: { id: OperationId; name?: string }): boolean {
    const { killAt } = this.#order;
    if (killAt !== `${id}@${phase}` && killAt !== `${name}@${phase}`) return false;
    this.#killed = true;
    this.#kill();
    return true;
  }
}
