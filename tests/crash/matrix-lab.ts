import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Operation, Takes } from '../../runtime/contract/index.ts';
import { asLabError, type Json, type ProcessIdentity } from '../../runtime/core/index.ts';
import {
  brokenInvariants,
  missedPoints,
  planMatrix,
  type CrashFacts,
  type KillTarget,
  type MatrixCase,
} from '../../runtime/crash/index.ts';
import { LabPage } from '../support/lab-page.ts';

export interface MatrixRelay {
  readonly name: string;
  readonly folder: string;
  readonly input: Json;
  /** Of a result what must be the same in every run. */
  comparable(this: void, result: Json): Json;
}

/** What came of one case. It proves nothing when a point of it missed. */
export interface CaseResult {
  readonly relay: string;
  readonly name: string;
  readonly run: string;
  readonly kills: number;
  readonly missed: readonly string[];
  readonly broken: readonly { readonly invariant: string; readonly what: string }[];
}

export interface MatrixLab extends AsyncDisposable {
  /** Plays the relay without a crash, and gives that run with every kill of the target that it allows. */
  plan(
    relay: MatrixRelay,
    target: KillTarget,
  ): Promise<{ readonly golden: CrashFacts; readonly cases: readonly MatrixCase[] }>;
  play(relay: MatrixRelay, golden: CrashFacts, one: MatrixCase): Promise<CaseResult>;
}

/** A built host in a process of its own, started again when a case kills it, on a data folder that is removed afterwards. */
export async function openMatrixLab(): Promise<MatrixLab> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lab-matrix-'));
  let host = await LabPage.start(['--data-dir', dataDir]);
  let client = await host.client();
  let cases = 0;

  /** Gives a command and waits until the run is at rest, under another host when the command's own one dies. */
  async function untilRest(run: string, command: () => Promise<unknown>): Promise<void> {
    try {
      await command();
      await client.call('run/settled', { run });
    } catch (thrown) {
      if (asLabError(thrown).code !== 'process-gone') throw thrown;
      await client.close();
      await host.ended;
      host = await LabPage.start(['--data-dir', dataDir]);
      client = await host.client();
    }
  }

  async function start({ folder, input }: MatrixRelay, crashPlan: readonly string[]): Promise<string> {
    const id = `case-${(cases += 1)}`;
    const order = { folder, input: JSON.stringify(input), id, recovery: 'off' } as const;
    await untilRest(id, () => client.call('run/start', { ...order, crashPlan: [...crashPlan] }));
    return id;
  }

  async function plan(relay: MatrixRelay, target: KillTarget) {
    const run = await start(relay, []);
    const golden = await gather(relay, run);
    if (golden.run.state !== 'succeeded') {
      throw new Error(`without a crash ${relay.name} is ${golden.run.state}: ${JSON.stringify(golden.run.error)}`);
    }
    const tried = await Promise.all(
      golden.operations.map(async ({ id, kind }) => {
        const { tries } = await client.call('run/operation', { run, operation: id });
        return { id, kind, failedTries: tries.length };
      }),
    );
    return { golden, cases: planMatrix(tried, target) };
  }

  async function play(relay: MatrixRelay, golden: CrashFacts, { name, plans }: MatrixCase): Promise<CaseResult> {
    const [first = [], ...later] = plans;
    const id = await start(relay, first);
    for (;;) {
      const { run, operations } = await client.call('run/show', { run: id });
      const crashPlan = [...(later[0] ?? [])];
      const command = { run: id, revision: run.revision, crashPlan };
      if (run.state === 'interrupted') {
        await untilRest(id, () => client.call('run/recover', { ...command, recovery: null }));
      } else if (run.state === 'needs_reconciliation') {
        const operation = operations.find(({ uncertain }) => uncertain);
        if (operation === undefined) throw new Error(`run ${id} asks for a decision on no operation`);
        const decision = await decide(id, operation, golden);
        const decided = { ...command, operation: operation.id, decision, by: 'the matrix' };
        await untilRest(id, () => client.call('run/reconcile', decided));
      } else break;
      later.shift();
    }
    const facts = await gather(relay, id);
    return {
      ...{ relay: relay.name, name, run: id, kills: plans.flat().length },
      missed: missedPoints(facts),
      broken: brokenInvariants(facts, golden),
    };
  }

  /** As a person would: what left an effect in a service is accepted with the answer that it gives, the rest runs again. */
  async function decide(
    run: string,
    { id }: Operation,
    golden: CrashFacts,
  ): Promise<Takes<'run/reconcile'>['decision']> {
    const records = await client.call('run/service-records', { run });
    const outcome = golden.operations.find((one) => one.id === id)?.outcome;
    if (!records.some((record) => record.operation === id && record.effect) || outcome?.ok !== true) {
      return { kind: 'again' };
    }
    return { kind: 'accept', value: (JSON.parse(outcome.value) as { json: Json }).json };
  }

  async function gather({ comparable }: MatrixRelay, id: string): Promise<CrashFacts> {
    const { run, attempts } = await client.call('run/show', { run: id });
    return {
      run: { ...run, result: comparable(run.result) },
      attempts,
      operations: await client.call('run/operations', { run: id, after: null, limit: 1000 }),
      events: await client.call('run/events', { run: id, after: 0, limit: 1000 }),
      records: await client.call('run/service-records', { run: id }),
      living: attempts.flatMap(({ process }) => (process !== null && lives(process) ? [process.pid] : [])),
    };
  }

  return {
    plan,
    play,
    async [Symbol.asyncDispose]() {
      await client.close();
      await host.end('SIGTERM');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The process itself, not another one that has its number now. */
function lives({ pid }: ProcessIdentity): boolean {
  try {
    if (process.platform === 'linux') return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).trim() !== '';
  } catch {
    return false;
  }
}
