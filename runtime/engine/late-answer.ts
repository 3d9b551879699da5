import { limits, type Json, type OperationId } from '../core/index.ts';
import type { AttemptContext } from './attempt-context.ts';

/**
 * Keeps an answer that came when its attempt was over already: evidence of what happened, and never more than that. It
 * names no claim, so that it is kept whatever has become of the run by now, and changes nothing of it. One of more than
 * 128 KiB of JSON could not be accepted, so it is let go, as is one that comes when the ledger is closed.
 */
export async function keepLateAnswer(
  { parts, run }: Pick<AttemptContext, 'parts' | 'run'>,
  operation: OperationId,
  { source, value }: { readonly source: string; readonly value: Json },
): Promise<void> {
  if (Buffer.byteLength(JSON.stringify(value)) > limits.resultBytes) return;
  const about = { run: run.id, attempt: run.attempts, operation } as const;
  const data = { source, value };
  try {
    await parts.ledger.commit([
      {
        ...{ tag: 'receipt/add', at: parts.clock.now(), ...about, kind: 'late-answer' },
        ...{ name: source, ok: true, durationMs: null, data },
      },
    ]);
  } catch {
    // The host is ending, or its ledger cannot be written: a person decides without this evidence, as without any.
  }
}
