import type { Run } from '../contract/index.ts';
import { asLabError, LabError, type Json, type LedgerWrite, type OperationId, type Resource } from '../core/index.ts';
import { boundRelease } from './bound-release.ts';
import type { EngineParts } from './engine-parts.ts';
import type { Release } from './ports.ts';

/** The check's receipt is to be made durable with what follows from it. */
export type AdmissionCheck =
  | { readonly release: Release; readonly refusal: null; readonly receipt: LedgerWrite }
  | { readonly release: null; readonly refusal: LabError; readonly receipt: LedgerWrite };

/**
 * The live check before an attempt, a platform call or an author's own service call: permission on the relay and on
 * each connection, then the release's complete checksum. Every decision is a receipt (DESIGN.md sections 1 and 8).
 */
export async function checkAdmission(
  parts: Pick<EngineParts, 'admission' | 'releases' | 'clock'>,
  run: Pick<Run, 'id' | 'caller' | 'relay' | 'release'>,
  subject: {
    readonly name: string;
    readonly attempt: number | null;
    readonly operation: OperationId | null;
    readonly connections: readonly Resource[];
  },
): Promise<AdmissionCheck> {
  const denied = permissionRefusal(parts, run, subject.connections);
  const verified = denied === null ? await verifyRelease(parts, run.release) : denied;
  const refusal = verified instanceof LabError ? verified : null;
  const data: Json = {
    caller: run.caller,
    relay: run.relay,
    connections: subject.connections,
    release: run.release,
    reason: refusal === null ? 'granted' : refusal.message,
  };
  const receipt: LedgerWrite = {
    tag: 'receipt/add',
    at: parts.clock.now(),
    run: run.id,
    attempt: subject.attempt,
    operation: subject.operation,
    kind: 'admission',
    name: subject.name,
    ok: refusal === null,
    durationMs: null,
    data,
  };
  return verified instanceof LabError
    ? { release: null, refusal: verified, receipt }
    : { release: verified, refusal: null, receipt };
}

function permissionRefusal(
  parts: Pick<EngineParts, 'admission'>,
  run: Pick<Run, 'caller' | 'relay'>,
  connections: readonly Resource[],
): LabError | null {
  for (const connection of connections.length === 0 ? [null] : connections) {
    const decision = parts.admission.decide(run.caller, run.relay, connection);
    if (!decision.granted) {
      return new LabError(
        'admission-denied',
        decision.reason,
        `Grant it with: recovery-lab permission grant ${decision.resource}`,
        { resource: decision.resource },
      );
    }
  }
  return null;
}

async function verifyRelease(parts: Pick<EngineParts, 'releases'>, hash: string): Promise<Release | LabError> {
  try {
    return await boundRelease(parts.releases, hash);
  } catch (thrown) {
    return asLabError(thrown);
  }
}
