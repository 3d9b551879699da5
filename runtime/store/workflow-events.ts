import type { LedgerWrite } from '../core/index.ts';
import type { Reader, Writer } from './connection.ts';

type WorkflowEventSet = Extract<LedgerWrite, { tag: 'workflow-event/set' }>;

export function prepareWorkflowEventWrites(db: Writer): (write: WorkflowEventSet) => void {
  const set = db.prepare<[string, string, string, number]>(
    `INSERT INTO workflow_events (workflow, key, value, set_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (workflow, key) DO UPDATE SET value = excluded.value, set_at = excluded.set_at`,
  );
  return ({ at, workflow, key, value }) => {
    set.run(workflow, key, value, at);
  };
}

export interface WorkflowEventQueries {
  /** The value that was set last. */
  workflowEvent(workflow: string, key: string): string | null;
}

export function prepareWorkflowEventQueries(db: Reader): WorkflowEventQueries {
  const value = db
    .prepare<[string, string], string>('SELECT value FROM workflow_events WHERE workflow = ? AND key = ?')
    .pluck();
  return { workflowEvent: (workflow, key) => value.get(workflow, key) ?? null };
}
