import { admit, type AdmissionDecision, type Resource } from '../core/index.ts';

/** Decides from the permissions as they stand in the ledger at the moment of the question. */
export function liveAdmission(isGranted: (caller: string, resource: Resource) => boolean | null): {
  decide(caller: string, relay: string, connection: Resource | null): AdmissionDecision;
} {
  return {
    decide: (caller, relay, connection) =>
      admit({ caller, relay, connection }, (resource) => isGranted(caller, resource)),
  };
}
