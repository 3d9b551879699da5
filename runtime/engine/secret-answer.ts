import { asLabError, LabError, type Json, type LedgerWrite, type OperationId } from '../core/index.ts';
import type { AttemptContext } from './attempt-context.ts';
import { checkAdmission } from './platform-admission.ts';

/**
 * The answer to `vault(NAME)`: the value as the vault has it now. It must be named in the manifest, and the relay
 * admitted to it. The admission's receipt and that of the reading, without the value, are durable before the value leaves.
 */
export async function answerVault(
  context: AttemptContext,
  name: string,
  operation: OperationId | null,
): Promise<string> {
  const { parts, run, release } = context;
  const { secrets } = release.manifest;
  if (!secrets.includes(name)) {
    throw new LabError(
      'not-found',
      `vault("${name}"): the relay's manifest names ${secrets.length === 0 ? 'no secrets' : secrets.join(', ')}; add "${name}" to "secrets" in relay.json`,
      `Add "${name}" to "secrets" in relay.json.`,
    );
  }
  const check = await checkAdmission(parts, run, {
    name: `vault ${name}`,
    attempt: run.attempts,
    operation,
    connections: [`secret:${run.relay}/${name}`],
  });
  if (check.refusal !== null) {
    await context.commit([check.receipt]);
    throw check.refusal;
  }
  const receipt = (ok: boolean, data: Json): LedgerWrite => ({
    ...{ tag: 'receipt/add', at: parts.clock.now(), run: run.id, attempt: run.attempts, operation, kind: 'vault' },
    ...{ name, ok, durationMs: null, data },
  });
  let value: string;
  try {
    value = await parts.vault.resolve(name);
  } catch (thrown) {
    const { code, message, next, facts } = asLabError(thrown);
    await context.commit([check.receipt, receipt(false, { code, message })]);
    // The author sees the sentence alone, so what to do stands in it.
    throw new LabError(code, `vault("${name}"): ${message}. ${next}`.trim(), next, facts);
  }
  await context.commit([check.receipt, receipt(true, { release: run.release })]);
  return value;
}
