import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { EndCause, ProcessIdentity } from '../../../runtime/core/index.ts';
import type { FromChild } from '../../../runtime/contract/index.ts';
import {
  openSupervisor,
  type NodeProgram,
  type OpenSupervisor,
  type ProcessSpec,
  type RelayProcess,
} from '../../../runtime/supervisor/index.ts';
import { isAlive, readProcess } from '../../../runtime/supervisor/process-facts.ts';

export const programs = join(import.meta.dirname, '../../fixtures/programs');

/** A folder of its own for the test that runs, removed after it. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'recovery-lab-supervisor-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Ends a process after the test, for the case that what is tested did not. */
export function killAfterTest(identity: ProcessIdentity): void {
  onTestFinished(() => {
    if (isAlive(identity)) process.kill(identity.pid, 'SIGKILL');
  });
}

/** The process of this pid, by its start time. Fails when there is none. */
export function identityOf(pid: number): ProcessIdentity {
  const facts = readProcess(pid);
  if (facts === null) throw new Error(`no process ${pid}`);
  return { pid, startTime: facts.startTime };
}

/** A supervisor whose relays run the fixture program, closed after the test. */
export async function openWith(program: string, node?: NodeProgram): Promise<OpenSupervisor> {
  const sdk = join(programs, program);
  const supervisor = await openSupervisor(node === undefined ? { sdk } : { sdk, node });
  onTestFinished(() => supervisor.close());
  return supervisor;
}

/** What a relay's process said, and how it ended. */
class Watched {
  readonly frames: FromChild[] = [];
  readonly ends: EndCause[] = [];
  readonly #end = Promise.withResolvers<EndCause>();
  /** Called when the end is reported. */
  atEnd: () => void = () => {};

  onFrame(frame: FromChild): void {
    this.frames.push(frame);
  }

  onEnd(cause: EndCause): void {
    this.ends.push(cause);
    this.atEnd();
    this.#end.resolve(cause);
  }

  get end(): Promise<EndCause> {
    return this.#end.promise;
  }

  /** The first log frame with this message, once it has come. */
  said(message: string): Promise<Extract<FromChild, { tag: 'log' }>> {
    return eventually(() => {
      const frame = this.frames.find((one) => one.tag === 'log' && one.message === message);
      return frame?.tag === 'log' ? frame : undefined;
    });
  }
}

export interface Started {
  readonly relay: RelayProcess;
  readonly watched: Watched;
  readonly runDir: string;
}

export async function start(supervisor: OpenSupervisor, over: Partial<ProcessSpec> = {}): Promise<Started> {
  const runDir = over.runDir ?? temporaryFolder();
  const watched = new Watched();
  const spec = { run: 'run-1', attempt: 1, readable: [programs], workDir: runDir, ...over, runDir };
  return { relay: await supervisor.spawn(spec, watched), watched, runDir };
}

/** Waits until a fact holds; fails with the test's patience. */
export function eventually<Fact>(fact: () => Fact | undefined | null | false): Promise<Fact> {
  return vi.waitFor(
    () => {
      const found = fact();
      if (found === undefined || found === null || found === false)
        throw new Error(`never came true: ${fact.toString()}`);
      return found;
    },
    { timeout: 15_000, interval: 5 },
  );
}

/** The frame that makes a fixture program begin. */
export const go = { tag: 'cancel', reason: 'go' } as const;
