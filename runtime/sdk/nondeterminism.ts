import type { HistoryEntry, OperationRequest, WireError } from '../core/index.ts';

const shownArguments = 1000;

/** The error of a run whose program asks for something else than what history holds at this place. */
export function nondeterminism(
  recorded: HistoryEntry,
  found: OperationRequest,
  part: 'kind' | 'name' | 'arguments',
  source: string | null,
): WireError {
  const at = `operation ${found.id}${source === null ? '' : ` (${source})`}`;
  const what =
    part === 'arguments'
      ? `${describe(found)} was called with ${short(found.arguments)} where history holds ${short(recorded.arguments)}`
      : `history holds ${describe(recorded)} here, but the relay asked for ${describe(found)}`;
  const side = (one: OperationRequest) => ({
    kind: one.kind,
    name: one.name,
    arguments: one.arguments && short(one.arguments),
  });
  return {
    name: 'NondeterminismError',
    message: `${at}: ${what}. Clocks, randomness and outside reads belong inside steps.`,
    stack: null,
    code: 'nondeterminism',
    fields: { expected: side(recorded), found: side(found), position: found.id, source },
    cause: null,
  };
}

function describe({ kind, name }: OperationRequest): string {
  return `${kind} "${name}"`;
}

function short(text: string | null): string {
  if (text === null) return 'no arguments';
  return text.length <= shownArguments ? text : `${text.slice(0, shownArguments)}…`;
}
