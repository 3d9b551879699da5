import { fromWireError, LabError, limits, toWireError, type Outcome, type WireError } from '../core/index.ts';
import { dbosErrors, DBOSMaxStepRetriesError } from './dbos-errors.ts';
import { decode } from './values.ts';

/** A platform call or `admit()` that live permissions refuse. `code` is `admission-denied` or `binding-changed`. */
export class AdmissionDeniedError extends Error {
  override readonly name = 'AdmissionDeniedError';
  readonly code: string;

  constructor(message: string, code = 'admission-denied') {
    super(message);
    this.code = code;
  }
}

const prototypes = new Map<string, object>([
  ['AdmissionDeniedError', AdmissionDeniedError.prototype],
  ['LabError', LabError.prototype],
  ...Object.values(dbosErrors).flatMap((value): [string, object][] =>
    typeof value.prototype === 'object' ? [[value.name, value.prototype as object]] : [],
  ),
]);

/** Half of a frame, so that the envelope and its escapes fit in the rest; counted in characters of at most 3 bytes. */
const longestText = limits.frameBytes / 32;
const keptTries = 10;

/** Anything thrown, as it is kept: never over the frame's bound, whatever the relay threw. */
export function keepThrown(thrown: unknown): WireError {
  const wire = toWireError(thrown instanceof DBOSMaxStepRetriesError ? withKeptTries(thrown) : thrown);
  return JSON.stringify(wire).length <= limits.frameBytes / 4 ? wire : cut(wire);
}

/** `errors` of a step that ran out of tries would be lost as JSON: they are kept as wire errors, first and last ones. */
function withKeptTries(error: DBOSMaxStepRetriesError): Error {
  const { errors } = error;
  const kept =
    errors.length <= keptTries ? errors : [...errors.slice(0, keptTries / 2), ...errors.slice(-keptTries / 2)];
  return Object.assign(Object.create(error) as Error, {
    stack: error.stack,
    errors: kept.map((one) => keepThrown(one)),
  });
}

function cut(wire: WireError): WireError {
  const short = (text: string): string =>
    text.length <= longestText ? text : `${text.slice(0, longestText)}… (${text.length - longestText} characters cut)`;
  return {
    name: short(wire.name),
    message: short(wire.message),
    stack: wire.stack === null ? null : short(wire.stack),
    code: typeof wire.code === 'string' ? short(wire.code) : wire.code,
    fields: {},
    cause: null,
  };
}

/** What the relay's code catches for a kept error: an Error of the same name, and of the same class where it is ours. */
export function reviveThrown(wire: WireError): Error {
  const error = fromWireError(wire);
  const prototype = prototypes.get(wire.name);
  if (prototype !== undefined) Object.setPrototypeOf(error, prototype);
  const { errors } = wire.fields;
  if (error instanceof DBOSMaxStepRetriesError && Array.isArray(errors)) {
    Object.assign(error, { errors: errors.map((one: unknown) => reviveThrown(one as WireError)) });
  }
  return error;
}

/** Gives the relay what an operation left: its value, decoded anew, or its error, thrown. */
export function settle(outcome: Outcome): unknown {
  if (outcome.ok) return decode(outcome.value);
  throw reviveThrown(outcome.error);
}
