import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toWireError, type Json, type OperationId, type Outcome } from '../../../runtime/core/index.ts';
import type { Platform } from '../../../runtime/engine/ports.ts';
import { openPlatform, type OpenPlatform, type PlatformCall } from '../../../runtime/platform/index.ts';
import { compileSchema, openReleases, type Release } from '../../../runtime/release/index.ts';
import { openServiceDesk, type ServiceDesk } from '../../../scenarios/services/index.ts';
import { RelayFolder } from '../../support/relay-folder.ts';
import { TemporaryFolder } from '../../support/temporary-folder.ts';
import { serviceScripts } from '../../support/service-scripts.ts';

type Receipt = Parameters<PlatformCall['receipt']>[0];
type Tools = Readonly<Record<string, (args: Json) => unknown>>;

const moody = readFileSync(join(import.meta.dirname, '../../fixtures/programs/moody-mcp-server.mjs'), 'utf8');

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
    options: { manifest?: Record<string, unknown>; files?: Readonly<Record<string, string>>; timeoutMs?: number } = {},
  ) {
    this.#relay = new RelayFolder('export const run = () => 1;', options.manifest);
    for (const [name, content] of Object.entries(options.files ?? {})) this.#relay.write(name, content);
    this.#relay.write('moody.mjs', moody);
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
      ...(options.timeoutMs === undefined ? {} : { mcpTimeoutMs: options.timeoutMs }),
    });
    // What the engine asks for is what is given.
    this.platform = platform satisfies Platform;
  }

  async call(
    kind: 'agent' | 'mcp',
    input: Json,
    options: { tools?: Tools; signal?: AbortSignal; attempt?: number; operation?: string } = {},
  ): Promise<Json> {
    this.#release ??= await openReleases({ folder: join(this.data.path, 'releases') }).publish(this.#relay.path);
    return this.platform.perform({
      run: 'run-1',
      attempt: options.attempt ?? 1,
      operation: (options.operation ?? '3') as OperationId,
      kind,
      name: 'called',
      input,
      release: this.#release,
      runDir: this.runDir,
      signal: options.signal ?? new AbortController().signal,
      callTool: (name, text) => runTool(options.tools ?? {}, name, text),
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
