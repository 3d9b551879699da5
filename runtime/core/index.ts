export { admit } from './admission.ts';
export type { AdmissionDecision, Resource } from './admission.ts';
export { changedBindings } from './bindings.ts';
export type { Bindings } from './bindings.ts';
export type { Clock, EpochMs } from './clock.ts';
export { afterDeath, describeEnd } from './death.ts';
export type { DeathFacts, EndCause } from './death.ts';
export { asLabError, describeWireError, errorClasses, fromWireError, LabError, toWireError } from './errors.ts';
export type { ErrorCode, LabErrorData, WireError } from './errors.ts';
export { operationKinds, operationStates, replay } from './history.ts';
export type { HistoryEntry, OperationKind, OperationRequest } from './history.ts';
export { canonicalJson } from './json.ts';
export type { Json, JsonObject } from './json.ts';
export { secretRules, secretValueProblem } from './known-secrets.ts';
export type { KnownSecret, KnownSecrets } from './known-secrets.ts';
export { crashPointStates, receiptKinds } from './ledger-writes.ts';
export type {
  Claim,
  CrashPointState,
  Decision,
  LedgerWrite,
  NewRun,
  ProcessIdentity,
  ReceiptKind,
} from './ledger-writes.ts';
export { limits } from './limits.ts';
export { childId, fromSortKey, parentId, parseOperationId, toSortKey } from './operation-id.ts';
export type { OperationId } from './operation-id.ts';
export type { Outcome } from './outcome.ts';
export { checkNewRunId, newRunId } from './run-id.ts';
export { canMove, isLive, isTerminal, liveStates, nextStates, runStates, statesBefore } from './run-state.ts';
export type { RunState } from './run-state.ts';
export { pendingCalls, toolCallIdentity, toolFailure } from './tool-journal.ts';
export type { JournaledCall } from './tool-journal.ts';
