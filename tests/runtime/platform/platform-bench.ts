import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LabError, toWireError, type Json, type OperationId, type Outcome } from '../../../runtime/core/index.ts';
import type { Platform } from '../../../runtime/engine/ports.ts';
import { openPlatform, type OpenPlatform, type PlatformCall } from '../../../runtime/platform/index.ts';
import { compileSchema, openReleases, type Release } from '../../../runtime/release/index.ts';
import { openServiceDesk, type ServiceDesk } from '../../../scenarios/services/index.ts';
import { RelayFolder } from '../../support/relay-folder.ts';
import { TemporaryFolder } from '../../support/temporary-folder.ts';
import { serviceScripts } from '../../support/service-scripts.ts';

type Receipt = Parameters<PlatformCall['receipt']>[0];
type Tools = Readonly<Record<string, (args: Json) => unknown>>;

const programs = join(import.meta.dirname, '../../fixtures/programs');

/** A platform with a published relay, the lab's real inventory, and what the calls left behind. */
export class PlatformBench {
  readonly data: TemporaryFolder = new TemporaryFolder();
  readonly receipts: Receipt[] = [];
  /** Process groups under guard now. */
  readonly guarded: Set<number> = new Set<number>();
  readonly desk: ServiceDesk;
  readonly platform: OpenPlatform;
  readonly runDir: string = join(this.data.path, 'runs/run-1');
  readonly #relay: RelayFolder;
  #release: Release | null = null;

  constructor(
    options: {
      manifest?: Record<string, unknown>;
      files?: Readonly<Record<string, string>>;
      timeoutMs?: number;
      lateMs?: number;
      secrets?: Readonly<Record<string, string>>;
    } = {},
  ) {
    this.#relay = new RelayFolder('export const run = () => 1;', options.manifest);
    for (const [name, content] of Object.entries(options.files ?? {})) this.#relay.write(name, content);
    for (const name of ['moody', 'unruly']) {
      this.#relay.write(`${name}.mjs`, readFileSync(join(programs, `${name}-mcp-server.mjs`), 'utf8'));
    }
    mkdirSync(this.runDir, { recursive: true });
    this.desk = openServiceDesk({
      scripts: serviceScripts,
      folder: join(this.data.path, 'services'),
      node: process.execPath,
    });
    const platform = openPlatform({
      builtInServers: this.desk.builtInServers(),
      compileSchema,
      guardGroup: (leader) => {
        this.guarded.add(leader);
        return () => this.guarded.delete(leader);
      },
      resolveSecret: (name) => {
        const value = options.secrets?.[name];
        return value === undefined ? Promise.reject(new LabError('not-found', `no ${name}`)) : Promise.resolve(value);
      },
      ...(options.timeoutMs === undefined ? {} : { mcpTimeoutMs: options.timeoutMs }),
      ...(options.lateMs === undefined ? {} : { lateMs: options.lateMs }),
    });
    // What the engine asks for is what is given.
    this.platform = platform satisfies Platform;
  }

  /** The relay's own folder. */
  get relayFolder(): string {
    return this.#relay.path;
  }

  async manifest(): Promise<Release['manifest']> {
    return (await this.#publish()).manifest;
  }

  async #publish(): Promise<Release> {
    return (this.#release ??= await openReleases({ folder: join(this.data.path, 'releases') }).publish(
      this.#relay.path,
    ));
  }

  async call(
    kind: 'agent' | 'mcp',
    input: Json,
    options: {
      tools?: Tools;
      signal?: AbortSignal;
      attempt?: number;
      operation?: string;
      journal?: PlatformCall['journal'];
      late?: (answer: { source: string; value: Json }) => void;
    } = {},
  ): Promise<Json> {
    const release = await this.#publish();
    return this.platform.perform({
      run: 'run-1',
      attempt: options.attempt ?? 1,
      operation: (options.operation ?? '3') as OperationId,
      kind,
      name: 'called',
      input,
      release,
      runDir: this.runDir,
      signal: options.signal ?? new AbortController().signal,
      journal: options.journal ?? null,
      ...(options.late === undefined ? {} : { late: options.late }),
      callTool: (name, text) => runTool(options.tools ?? {}, name, text),
      admit: () => Promise.resolve(),
      receipt: (receipt) => {
        this.receipts.push(receipt);
        return Promise.resolve();
      },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.platform.close();
    await this.desk.close();
    this.#relay[Symbol.dispose]();
    this.data[Symbol.dispose]();
  }
}

/** Answers as a relay's process does. */
async function runTool(tools: Tools, name: string, text: string): Promise<Outcome> {
  try {
    return { ok: true, value: JSON.stringify(await tools[name]?.(JSON.parse(text) as Json)) };
  } catch (error) {
    return { ok: false, error: toWireError(error) };
  }
}
