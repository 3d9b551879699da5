import type { Attempt, LabEvent, Operation, Receipt, Run } from '../../runtime/contract/index.ts';
import { parseOperationId, type Json, type OperationId, type OperationKind } from '../../runtime/core/index.ts';
import type { RunFacts } from '../../scenarios/run-facts.ts';

const id = 'run-1';
const point = 'reserve@after-checkpoint';
const processes = [
  { pid: 101, startTime: 'a' },
  { pid: 102, startTime: 'b' },
];
const names: readonly (readonly [OperationKind, string])[] = [
  ['agent', 'extract'],
  ['mcp', 'reserve'],
  ['step', 'create-order'],
  ['step', 'confirm'],
];

export function operationId(text: string): OperationId {
  const parsed = parseOperationId(text);
  if (parsed === null) throw new Error(`${text} is no operation id`);
  return parsed;
}

/**
 * What is known of an order run that was killed when `reserve` was checkpointed, and recovered: what every claim of
 * that rehearsal holds of. Tests change one thing in it and see which claim falls.
 */
export function orderFacts(): RunFacts {
  return {
    run: run(),
    attempts: [attempt(1), attempt(2)],
    operations: names.map(([kind, name], index) => operation(index, kind, name)),
    events: events(),
    receipts: receipts(),
    living: [],
    services: {
      'order-service': { attempts: 1, effects: 1, keys: [`${id}:2`] },
      'audit-log': { attempts: 0, effects: 0, keys: [] },
      inventory: { attempts: 1, effects: 1, keys: [id] },
    },
  };
}

function run(): Run {
  return {
    id,
    relay: 'order-fulfilment',
    release: 'sha256:1',
    caller: 'local',
    durability: 'dbos',
    state: 'succeeded',
    revision: 6,
    epoch: 2,
    reason: null,
    input: '{}',
    result: { total: 11_400, orderId: 'order-1' },
    error: null,
    recovery: 'off',
    attempts: 2,
    attemptBudget: 3,
    deadlineMs: 1000,
    deadlineAt: 1000,
    createdAt: 0,
    startedAt: 0,
    finishedAt: 100,
    holder: null,
    draftFolder: null,
    forkedFrom: null,
    bindings: { release: '', input: '', variables: '', sdk: '', node: '', engine: '' },
    lastSequence: events().length,
  };
}

function attempt(number: 1 | 2): Attempt {
  const killed = number === 1;
  return {
    run: id,
    number,
    epoch: number,
    process: processes[number - 1] ?? null,
    startedAt: number,
    endedAt: number,
    cause: killed ? { kind: 'crash-point', point, signal: 'SIGKILL' } : { kind: 'finished' },
    reused: killed ? 0 : 2,
    crashPlan: killed ? [{ point, state: 'fired' }] : [],
  };
}

function operation(index: number, kind: OperationKind, name: string): Operation {
  return {
    run: id,
    id: operationId(`${index}`),
    kind,
    name,
    state: 'checkpointed',
    uncertain: false,
    repeatable: kind === 'step',
    arguments: null,
    outcome: { ok: true, value: '{"json":null}' },
    attempt: index < 2 ? 1 : 2,
    bodies: 1,
    source: null,
    intendedAt: 0,
    checkpointedAt: 1,
  };
}

function events(): LabEvent[] {
  const told: [LabEvent['type'], number | null, string | null, Json][] = [
    ['run.created', null, null, {}],
    ['run.claimed', 1, null, { revision: 2, epoch: 1, holder: { pid: 1, startTime: '' }, deadlineAt: 1000 }],
    ['attempt.spawned', 1, null, { pid: 101, startTime: 'a' }],
    ['operation.intended', 1, '0', { kind: 'agent', name: 'extract', bodies: 1 }],
    ['operation.checkpointed', 1, '0', { ok: true }],
    ['operation.intended', 1, '1', { kind: 'mcp', name: 'reserve', bodies: 1 }],
    ['operation.checkpointed', 1, '1', { ok: true }],
    ['crash-point.fired', 1, null, { index: 0, point }],
    ['attempt.ended', 1, null, { cause: { kind: 'crash-point', point, signal: 'SIGKILL' } }],
    ['run.moved', null, null, { revision: 3, from: 'running', to: 'interrupted', reason: 'the process is gone' }],
    ['run.moved', null, null, { revision: 4, from: 'interrupted', to: 'queued', reason: null }],
    ['run.claimed', 2, null, { revision: 5, epoch: 2, holder: { pid: 1, startTime: '' }, deadlineAt: 1000 }],
    ['attempt.spawned', 2, null, { pid: 102, startTime: 'b' }],
    ['operation.reused', 2, '0', { diverged: false, arguments: null }],
    ['operation.reused', 2, '1', { diverged: false, arguments: null }],
    ['operation.intended', 2, '2', { kind: 'step', name: 'create-order', bodies: 1 }],
    ['operation.checkpointed', 2, '2', { ok: true }],
    ['operation.intended', 2, '3', { kind: 'step', name: 'confirm', bodies: 1 }],
    ['operation.checkpointed', 2, '3', { ok: true }],
    ['run.moved', null, null, { revision: 6, from: 'running', to: 'succeeded', reason: null }],
    ['attempt.ended', 2, null, { cause: { kind: 'finished' } }],
  ];
  return told.map(([type, number, operation, data], index) => ({
    run: id,
    sequence: index + 1,
    at: index,
    type,
    attempt: number,
    operation: operation === null ? null : operationId(operation),
    data,
  }));
}

function receipts(): Receipt[] {
  const kept: [Receipt['kind'], string, string | null][] = [
    ['admission', 'attempt', null],
    ['admission', 'extract', '0'],
    ['tool', 'lookup_customer', '0'],
    ['agent', 'extract', '0'],
    ['admission', 'reserve', '1'],
    ['mcp', 'inventory.reserve', '1'],
    ['admission', 'attempt', null],
  ];
  return kept.map(([kind, name, operation], index) => ({
    id: index + 1,
    run: id,
    attempt: null,
    operation: operation === null ? null : operationId(operation),
    kind,
    name,
    ok: true,
    at: index,
    durationMs: null,
    data: {},
  }));
}

/** Nothing of it is as any scenario expects it. */
export function wrongFacts(): RunFacts {
  const facts = orderFacts();
  const wrong = { attempts: 9, effects: 8, keys: ['a', 'b', 'c'] };
  return {
    run: { ...facts.run, state: 'running', result: null, revision: 99, lastSequence: 99 },
    attempts: [7, 8, 9, 10].map((number) => ({ ...attempt(1), number, reused: 5, cause: null, crashPlan: [] })),
    operations: [{ ...operation(4, 'step', 'something-else'), bodies: 4 }],
    events: facts.events.slice(3, 5),
    receipts: facts.receipts.slice(2, 3).map((receipt) => ({ ...receipt, kind: 'reconciliation', operation: null })),
    living: [101],
    services: { 'order-service': wrong, 'audit-log': wrong, inventory: wrong },
  };
}
