import type { HostedKind } from '../contract/index.ts';
import {
  childId,
  LabError,
  replay,
  type HistoryEntry,
  type Json,
  type OperationId,
  type OperationKind,
  type Outcome,
} from '../core/index.ts';
import { callSite } from './call-site.ts';
import { DBOSWorkflowCancelledError } from './dbos-errors.ts';
import { nondeterminism } from './nondeterminism.ts';
import { takeTurn } from './platform-turn.ts';
import { currentScope, isCancelled, type Scope } from './scope.ts';
import { never, theSession, type Session } from './session.ts';
import { keepThrown, settle } from './thrown.ts';
import { encode } from './values.ts';

interface Call<Kind extends OperationKind> {
  readonly kind: Kind;
  readonly name: string;
  /** Serialised, to be compared with what history holds; what must outlive a death is taken from there. */
  readonly arguments: string | null | ((recorded: HistoryEntry | undefined) => string | null);
  /** A death between intent and checkpoint is met by running it again. */
  readonly repeatable: boolean;
}

/** An operation whose body runs in this process. */
export interface OwnCall extends Call<OperationKind> {
  /** The body begins only once the intent is durable. */
  readonly wait: boolean;
  readonly body: (operation: Standing) => unknown;
  /** The function of the sdk that the relay called. */
  readonly called?: ((...args: never[]) => unknown) | undefined;
  /** Called once the operation stands in history, before its body. */
  readonly onStanding?: () => void;
}

/** An operation that the host carries out. */
export interface HostedCall extends Call<HostedKind> {
  readonly input: Json;
  /** Platform calls are carried out one at a time, in call order. */
  readonly queued: boolean;
  /** A wait, which the run's cancellation ends. */
  readonly endsOnCancel: boolean;
  /** Called before the host begins; what it gives is called when the host has ended. */
  readonly onBegun?: (id: OperationId) => () => void;
}

export interface Standing {
  readonly id: OperationId;
  /** Where the operation was called. */
  readonly scope: Scope;
}

interface Begun extends Standing {
  readonly session: Session;
  readonly record: OperationRecord;
  /** Of its name, to be carried out in this process. */
  readonly isFirst: boolean;
  /** What history answers with; null when the operation is to be carried out. */
  readonly outcome: Outcome | null;
}

interface OperationRecord {
  readonly id: OperationId;
  readonly name: string;
  readonly arguments: string | null;
  readonly repeatable: boolean;
  readonly source: string | null;
}

const longestName = 1000;
/** How often the operations of a name were carried out in this process. */
const carriedOut = new Map<string, number>();
/** How often of a name the source line is looked up: a tenth of a step's cost, and beyond a loop it tells nothing new. */
const lookedUp = 32;

/** Takes the operation's number, at once, and asks history. Null: history holds something else, and the run has ended. */
function begin(call: Call<OperationKind>, called?: OwnCall['called']): Begun | null {
  const session = theSession();
  const scope = openScope(call.name);
  const id = childId(scope.operation, scope.numbers.next++);
  if (session.ended) return null;
  const recorded = session.history.get(id);
  const own = recorded?.kind === call.kind && recorded.name === call.name ? recorded : undefined;
  const text = typeof call.arguments === 'function' ? call.arguments(own) : call.arguments;
  const request = { id, kind: call.kind, name: call.name, arguments: text };
  const decision = replay(recorded, request, scope.kind === 'step');
  if (decision.kind === 'mismatch') {
    const source = callSite(called);
    session.end('nondeterminism', {
      ok: false,
      error: nondeterminism(decision.expected, request, decision.part, source),
    });
    return null;
  }
  const record = { id, name: call.name, arguments: text, repeatable: call.repeatable, source: null };
  if (decision.kind !== 'reuse') {
    const times = (carriedOut.get(call.name) ?? 0) + 1;
    carriedOut.set(call.name, times);
    const source = times <= lookedUp ? callSite(called) : null;
    return { session, scope, id, record: { ...record, source }, isFirst: times === 1, outcome: null };
  }
  session.send({ tag: 'reused', id, diverged: decision.diverged, arguments: decision.diverged ? text : null });
  return { session, scope, id, record, isFirst: false, outcome: decision.outcome };
}

function openScope(name: string): Scope {
  const scope = currentScope();
  if (scope === undefined) throw new LabError('wrong-state', `${name} works only inside the run`);
  throwIfCancelled(scope);
  if (name.length > longestName) {
    throw new LabError(
      'invalid-input',
      `an operation's name has at most ${longestName} characters: ${name.slice(0, 80)}…`,
    );
  }
  if (scope.life.over) {
    throw new LabError(
      'wrong-state',
      `${name} was called after ${scope.operation === null ? 'the run' : `its ${scope.kind}, operation ${scope.operation},`} had ended`,
      'Await every call before the function returns.',
    );
  }
  return scope;
}

function throwIfCancelled({ workflow }: Scope): void {
  if (isCancelled(workflow)) throw new DBOSWorkflowCancelledError(workflow.id);
}

/** Runs an operation whose body is here. Resolves with the decoded value, or rejects with the kept error. */
export async function operate(call: OwnCall): Promise<unknown> {
  const begun = begin(call, call.called);
  if (begun === null) return never();
  const { session, id } = begun;
  if (begun.outcome !== null) {
    call.onStanding?.();
    return settle(begun.outcome);
  }
  const wait = call.wait || session.waitsForIntents;
  session.send({ tag: 'intend', kind: call.kind, ...begun.record, wait });
  if (wait) await session.acknowledged('intent', id);
  // A body that never yields, or that ends the process, must not hide that it began.
  else if (begun.isFirst) session.flush();
  call.onStanding?.();
  const outcome = checkpoint(session, id, await outcomeOf(call, begun));
  await session.acknowledged('checkpoint', id);
  return settle(outcome);
}

async function outcomeOf(call: OwnCall, begun: Begun): Promise<Outcome> {
  try {
    return { ok: true, value: encode(await call.body(begun), 'result') };
  } catch (thrown) {
    // What the body of a cancelled workflow ended with is no result of it.
    throwIfCancelled(begun.scope);
    return { ok: false, error: keepThrown(thrown) };
  }
}

/** Sends the checkpoint; a value over the bound makes the operation fail instead. Gives what was sent. */
function checkpoint(session: Session, id: OperationId, outcome: Outcome): Outcome {
  try {
    session.send({ tag: 'checkpoint', id, outcome });
    return outcome;
  } catch (tooLarge) {
    const failed: Outcome = { ok: false, error: keepThrown(tooLarge) };
    session.send({ tag: 'checkpoint', id, outcome: failed });
    return failed;
  }
}

/** Has the host carry an operation out. Resolves with the decoded value, or rejects with the kept error. */
export async function operateHosted(call: HostedCall): Promise<unknown> {
  const begun = begin(call);
  if (begun === null) return never();
  if (begun.outcome !== null) return settle(begun.outcome);
  const { session, scope, id } = begun;
  const endTurn = call.queued ? await takeTurn() : null;
  let onEnded: (() => void) | undefined;
  try {
    if (session.ended) return await never();
    throwIfCancelled(scope);
    onEnded = call.onBegun?.(id);
    session.send({ tag: 'perform', kind: call.kind, ...begun.record, input: call.input });
    const settled = session.settled(id);
    return settle(await (call.endsOnCancel ? unlessCancelled(scope, settled) : settled));
  } finally {
    onEnded?.();
    endTurn?.();
  }
}

async function unlessCancelled<Value>({ workflow }: Scope, awaited: Promise<Value>): Promise<Value> {
  const { signal } = workflow.cancellation;
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = (): void => reject(new DBOSWorkflowCancelledError(workflow.id));
  signal.addEventListener('abort', cancel);
  try {
    return await Promise.race([awaited, promise]);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
