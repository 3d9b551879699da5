import type { LedgerWrite, NewRun, OperationId, Outcome, RunState } from '../../runtime/core/index.ts';

/**
 * The built one. From source each thread would strip its types with Node's own WebAssembly, in whose shared cache of
 * import wrappers V8 aborts the process now and then when threads come and go (seen on Node 24.21, one run in thirty).
 */
export const writerThread = new URL('../../out/main/writer-thread.js', import.meta.url);

type Write<Tag extends LedgerWrite['tag']> = Extract<LedgerWrite, { tag: Tag }>;

const at = 1_700_000_000_000;
/** When a test's run is created; the other writes come milliseconds after. */
export const testTime = at;

export function createRun(id: string, changes: Partial<NewRun> = {}): Write<'run/create'> {
  const bindings = { release: 'sha256:0', input: 'i', variables: 'v', sdk: 's', node: 'n', engine: 'e' };
  const fixed = { relay: 'orders', caller: 'local', durability: 'dbos', input: '{"n":1}', bindings } as const;
  const policy = {
    attemptBudget: 3,
    deadlineMs: 60_000,
    recovery: 'off',
    draftFolder: null,
    forkedFrom: null,
  } as const;
  return { tag: 'run/create', at, run: { id, ...fixed, ...policy, ...changes } };
}

export function claimRun(run: string, revision: number, changes: Partial<Write<'run/claim'>> = {}): Write<'run/claim'> {
  return {
    tag: 'run/claim',
    at: at + 1,
    run,
    revision,
    holder: { pid: 4711, startTime: '99' },
    crashPlan: [],
    ...changes,
  };
}

export function moveRun(
  run: string,
  from: readonly RunState[],
  to: RunState,
  changes: Partial<Write<'run/move'>> = {},
): Write<'run/move'> {
  const nothing = { epoch: null, revision: null, reason: null, result: null, error: null };
  return { tag: 'run/move', at: at + 9, run, from, to, ...nothing, ...changes };
}

export function intend(
  run: string,
  id: string,
  changes: Partial<Write<'operation/intend'>> = {},
): Write<'operation/intend'> {
  const body = {
    kind: 'step',
    name: 'reserve',
    arguments: '{"json":[1]}',
    repeatable: true,
    source: 'relay.ts:3:1',
  } as const;
  const claim = { run, epoch: 1 };
  return { tag: 'operation/intend', at: at + 2, claim, attempt: 1, id: id as OperationId, ...body, ...changes };
}

export function checkpoint(
  run: string,
  id: string,
  changes: Partial<Write<'operation/checkpoint'>> = {},
): Write<'operation/checkpoint'> {
  const outcome: Outcome = { ok: true, value: `{"json":"${id}"}` };
  return {
    tag: 'operation/checkpoint',
    at: at + 3,
    claim: { run, epoch: 1 },
    attempt: 1,
    id: id as OperationId,
    outcome,
    ...changes,
  };
}
