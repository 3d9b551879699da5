import { prepareArtifactQueries, type ArtifactQueries } from './artifacts.ts';
import { prepareAttemptQueries, type AttemptQueries } from './attempts.ts';
import type { Reader } from './connection.ts';
import { prepareEventQueries, type EventQueries } from './events.ts';
import { prepareMessageQueries, type MessageQueries } from './messages.ts';
import { prepareOperationQueries, type OperationQueries } from './operation-queries.ts';
import { preparePermissionQueries, type PermissionQueries } from './permissions.ts';
import { prepareReceiptQueries, type ReceiptQueries } from './receipts.ts';
import { prepareRunQueries, type RunQueries } from './run-queries.ts';
import { prepareStreamQueries, type StreamQueries } from './streams.ts';
import { prepareWorkflowEventQueries, type WorkflowEventQueries } from './workflow-events.ts';

/** Everything that can be asked of a ledger. Each answer is of what is committed at that moment. */
export interface LedgerQueries
  extends
    RunQueries,
    AttemptQueries,
    OperationQueries,
    EventQueries,
    ReceiptQueries,
    PermissionQueries,
    ArtifactQueries,
    MessageQueries,
    WorkflowEventQueries,
    StreamQueries {}

export function prepareQueries(db: Reader): LedgerQueries {
  return {
    ...prepareRunQueries(db),
    ...prepareAttemptQueries(db),
    ...prepareOperationQueries(db),
    ...prepareEventQueries(db),
    ...prepareReceiptQueries(db),
    ...preparePermissionQueries(db),
    ...prepareArtifactQueries(db),
    ...prepareMessageQueries(db),
    ...prepareWorkflowEventQueries(db),
    ...prepareStreamQueries(db),
  };
}
