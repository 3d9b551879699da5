import type { FromChild } from '../contract/index.ts';
import { LabError, limits, type Json, type LabErrorData, type WireError } from '../core/index.ts';

type ResultFrame = Extract<FromChild, { tag: 'result' }>;

export interface RunEnd {
  readonly to: 'succeeded' | 'failed';
  /** JSON text. */
  readonly result: string | null;
  readonly error: WireError | LabErrorData | null;
}

/** What a relay's result frame makes of its run (guarantee 5: an error is terminal). */
export function runResult(frame: ResultFrame): RunEnd {
  if (!frame.outcome.ok) return { to: 'failed', result: null, error: frame.outcome.error };
  const { value } = frame.outcome;
  const bytes = Buffer.byteLength(value);
  if (bytes > limits.resultBytes) {
    return failed(
      new LabError(
        'too-large',
        `the run's result is ${bytes} bytes of JSON; at most ${limits.resultBytes} are kept`,
        'Return less: keep large data in a file of the run’s folder and return its name.',
      ),
    );
  }
  try {
    JSON.parse(value) as Json;
  } catch {
    return failed(
      new LabError('invalid-input', `the run's result is not JSON: it begins ${JSON.stringify(value.slice(0, 80))}`),
    );
  }
  return { to: 'succeeded', result: value, error: null };
}

function failed(error: LabError): RunEnd {
  return { to: 'failed', result: null, error: error.toData() };
}
