import type { Json, JsonObject } from './json.ts';

/** An error thrown by a relay's code, as it crosses processes and is kept in history (DESIGN.md section 5). */
export interface WireError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | null;
  readonly code: string | number | null;
  /** Own enumerable fields besides these, as far as they are JSON. */
  readonly fields: JsonObject;
  readonly cause: WireError | null;
}

/**
 * What went wrong, in one closed list, each with what the runtime does about it:
 * `use` the caller's words are wrong; `refused` right words at a wrong time or without the right; `failed` the work
 * itself failed; `broken` the lab or the machine under it. The command line's exit codes follow from the class.
 */
export const errorClasses = {
  'invalid-input': 'use',
  'not-found': 'use',
  'not-supported': 'use',
  'publish-failed': 'use',
  'too-large': 'use',
  'wrong-state': 'refused',
  conflict: 'refused',
  locked: 'refused',
  'claim-lost': 'refused',
  'admission-denied': 'refused',
  'binding-changed': 'refused',
  'ledger-newer': 'refused',
  'relay-failed': 'failed',
  nondeterminism: 'failed',
  'budget-spent': 'failed',
  'deadline-passed': 'failed',
  'process-gone': 'failed',
  'frame-invalid': 'failed',
  cancelled: 'failed',
  'platform-failed': 'failed',
  'ledger-corrupt': 'broken',
  'ledger-unwritable': 'broken',
  'disk-full': 'broken',
  'ledger-failed': 'broken',
  'service-failed': 'broken',
  'vault-unreadable': 'broken',
  internal: 'broken',
} as const;
export type ErrorCode = keyof typeof errorClasses;

export interface LabErrorData {
  readonly code: ErrorCode;
  /** What was expected and what was found, for a person. */
  readonly message: string;
  /** The next thing to do or to check; empty when there is none. */
  readonly next: string;
  readonly facts: JsonObject;
}

/** The one error that the lab throws on purpose. Recognise it by `code`, never by its text. */
export class LabError extends Error {
  override readonly name = 'LabError';
  readonly code: ErrorCode;
  readonly next: string;
  readonly facts: JsonObject;

  constructor(code: ErrorCode, message: string, next = '', facts: JsonObject = {}) {
    super(message);
    this.code = code;
    this.next = next;
    this.facts = facts;
  }

  toData(): LabErrorData {
    return { code: this.code, message: this.message, next: this.next, facts: this.facts };
  }

  static fromData(data: LabErrorData): LabError {
    return new LabError(data.code, data.message, data.next, data.facts);
  }
}

/** Any thrown thing as a LabError: itself, or `internal` with its text. */
export function asLabError(thrown: unknown): LabError {
  if (thrown instanceof LabError) return thrown;
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return new LabError('internal', text, 'This is a fault of the lab: please report it with this text.');
}

const causeDepth = 8;

/** Any thrown thing as it is kept in history. A thing that is no Error is named as such, with its text. */
export function toWireError(thrown: unknown, depth = 0): WireError {
  if (!(thrown instanceof Error)) {
    return {
      name: 'NonErrorThrown',
      message: `the relay threw ${describeThrown(thrown)}, which is not an Error`,
      stack: null,
      code: null,
      fields: {},
      cause: null,
    };
  }
  // Any code may have put anything in an error's fields; a frame that holds it must stay one of the protocol.
  const { name, message, stack, code } = thrown as { name: unknown; message: unknown; stack?: unknown; code?: unknown };
  return {
    name: typeof name === 'string' ? name : describeThrown(name),
    message: typeof message === 'string' ? message : describeThrown(message),
    stack: typeof stack === 'string' ? stack : null,
    code: typeof code === 'string' || typeof code === 'number' ? code : null,
    fields: ownJsonFields(thrown),
    cause: thrown.cause === undefined || depth >= causeDepth ? null : toWireError(thrown.cause, depth + 1),
  };
}

function describeThrown(thrown: unknown): string {
  if (typeof thrown === 'string') return JSON.stringify(thrown.slice(0, 200));
  try {
    return (JSON.stringify(thrown) as string | undefined)?.slice(0, 200) ?? String(thrown);
  } catch {
    return Object.prototype.toString.call(thrown);
  }
}

const ownNames = new Set(['name', 'message', 'stack', 'code', 'cause']);

function ownJsonFields(error: Error): JsonObject {
  const fields: Record<string, Json> = {};
  for (const [key, value] of Object.entries(error)) {
    if (ownNames.has(key)) continue;
    try {
      const text = JSON.stringify(value) as string | undefined;
      if (text !== undefined) fields[key] = JSON.parse(text) as Json;
    } catch {
      // A field that JSON cannot carry is left out: the error itself must not be lost over it.
    }
  }
  return fields;
}

/** The Error that relay code gets back for a kept one: same name, message, stack, code, fields and cause. */
export function fromWireError(wire: WireError): Error {
  const error = new Error(wire.message, wire.cause === null ? undefined : { cause: fromWireError(wire.cause) });
  Object.defineProperty(error, 'name', { value: wire.name, configurable: true, writable: true });
  if (wire.stack !== null) error.stack = wire.stack;
  if (wire.code !== null) Object.assign(error, { code: wire.code });
  return Object.assign(error, wire.fields);
}

/** Renders a kept error in one line for people. */
export function describeWireError(error: WireError): string {
  return `${error.name}: ${error.message}`;
}
