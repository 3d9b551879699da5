import { LabError } from '../../runtime/core/index.ts';

/** The LabError that a promise rejects with. Anything else, and no rejection at all, fails the test. */
export async function refusalOf(promise: Promise<unknown>): Promise<LabError> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    if (error instanceof LabError) return error;
    throw error;
  }
  throw new Error(`expected a LabError, but it resolved with ${JSON.stringify(value)}`);
}
