import { z } from 'zod';
import type { EpochMs, Json } from '../core/index.ts';
import { json } from './json-schema.ts';
import type { OperationDetail } from './run.ts';

/** What a receipt of kind `late-answer` carries. */
const lateData = z.object({ source: z.string(), value: json });

/** An answer to a platform call that came after the call's process had died. */
interface LateAnswer {
  readonly receipt: number;
  readonly at: EpochMs;
  /** Who gave it, for a person. */
  readonly source: string;
  readonly value: Json;
}

/**
 * The newest late answer that a person may accept for an operation: only while it waits for a decision, and only one to
 * the call that was made last. One to an earlier call is evidence of something that was decided already.
 */
export function offeredAnswer({
  operation,
  receipts,
}: Pick<OperationDetail, 'operation' | 'receipts'>): LateAnswer | null {
  if (!operation.uncertain) return null;
  const found = receipts.findLast(({ kind, attempt }) => kind === 'late-answer' && attempt === operation.attempt);
  if (found === undefined) return null;
  return { receipt: found.id, at: found.at, ...lateData.parse(found.data) };
}
