import { LabError, type JsonObject } from '../core/index.ts';

/** A relay folder that cannot become a release: the author corrects it and publishes again. */
export function publishFailed(message: string, next = 'Correct it and start again.', facts: JsonObject = {}): LabError {
  return new LabError('publish-failed', message, next, facts);
}
