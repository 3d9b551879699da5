import type { Run } from '../../runtime/contract/index.ts';
import type { ErrorCode, Json, JsonObject } from '../../runtime/core/index.ts';
import { says, type Claim } from '../claim.ts';
import type { RunFacts } from '../run-facts.ts';

/** The run failed with this code, and its error names these things. */
export function failedWith(code: ErrorCode, ...names: readonly string[]): Claim<RunFacts> {
  return {
    name: 'error',
    expected: [code, ...names.map((name) => `naming ${name}`)].join(', '),
    look: ({ run }) => ({
      actual: run.error === null ? `none, the run is ${run.state}` : `${run.error.code}: ${run.error.message}`,
      ok:
        run.state === 'failed' && run.error?.code === code && names.every((name) => run.error?.message.includes(name)),
    }),
  };
}

export interface NondeterminismFacts extends RunFacts {
  /** Where the relay asks for the other operation: `index.ts:12`. */
  readonly line: string;
}

/** What a nondeterminism error must show: what history holds, what was asked for instead, and where in the source. */
export function nondeterminismShows(expected: string, found: string): Claim<NondeterminismFacts>[] {
  return [
    says('error: expected', `step ${expected}`, ({ run }) => operationIn(run.error, 'expected')),
    says('error: found', `step ${found}`, ({ run }) => operationIn(run.error, 'found')),
    {
      name: 'error: source line',
      expected: `the line that asks for ${found}`,
      look: ({ run, line }) => {
        const source = fieldOf(run.error, 'source');
        return {
          actual: typeof source === 'string' ? source : 'none',
          ok: source === line && run.error?.message.includes(line) === true,
        };
      },
    },
  ];
}

function operationIn(error: Run['error'], side: 'expected' | 'found'): string {
  const operation = fieldOf(error, side);
  if (typeof operation !== 'object' || operation === null || Array.isArray(operation)) return 'none';
  const { kind, name } = operation as JsonObject;
  return typeof kind === 'string' && typeof name === 'string' ? `${kind} ${name}` : 'none';
}

function fieldOf(error: Run['error'], name: string): Json {
  return error !== null && 'fields' in error ? (error.fields[name] ?? null) : null;
}
