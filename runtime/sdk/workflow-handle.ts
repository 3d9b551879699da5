import type { WorkflowStatus as LabStatus, WorkflowStep } from '../contract/index.ts';
import { absent } from './absent.ts';
import { recorded } from './built-in.ts';
import {
  DBOSAwaitedWorkflowCancelledError,
  DBOSAwaitedWorkflowExceededMaxRecoveryAttempts,
  DBOSNonExistentWorkflowError,
} from './dbos-errors.ts';
import { pauseUntil } from './pause.ts';
import { cancelWorkflowHere, currentScope } from './scope.ts';
import { theSession } from './session.ts';
import { decode } from './values.ts';
import { startedWorkflow } from './workflow.ts';

export interface ResultOptions {
  timeoutSeconds?: number;
  deadlineEpochMS?: number;
  pollingIntervalMs?: number;
}

const pollingMs = 1000;

/** A workflow by its id: one that this run started, or another run of the lab. */
export class WorkflowHandle {
  readonly workflowID: string;

  constructor(workflowID: string) {
    this.workflowID = workflowID;
  }

  getStatus(): Promise<object | null> {
    return getWorkflowStatus(this.workflowID);
  }

  getResult(options?: ResultOptions): Promise<unknown> {
    return getResult(this.workflowID, options);
  }
}

/** Null when the workflow is not over in time. */
export function getResult(id: string, options: number | ResultOptions = {}): Promise<unknown> {
  const given = typeof options === 'number' ? { timeoutSeconds: options } : options;
  return recorded('DBOS.getResult', [id], async () => {
    const scope = currentScope();
    const until =
      given.deadlineEpochMS ?? (given.timeoutSeconds === undefined ? null : Date.now() + given.timeoutSeconds * 1000);
    const over = new AbortController();
    const signals = scope === undefined ? [over.signal] : [over.signal, scope.workflow.cancellation.signal];
    const result =
      startedWorkflow(id)?.result ?? resultOfOther(id, given.pollingIntervalMs ?? pollingMs, AbortSignal.any(signals));
    if (until === null) return result;
    result.catch(() => undefined);
    try {
      return await Promise.race([result, pauseUntil(until, over.signal).then(() => null)]);
    } finally {
      over.abort();
    }
  });
}

async function resultOfOther(id: string, everyMs: number, signal: AbortSignal): Promise<unknown> {
  for (;;) {
    const status = (await theSession().ask('workflow-status', { workflow: id })) as LabStatus | null;
    switch (status?.status) {
      case undefined:
        throw new DBOSNonExistentWorkflowError(`Workflow ${id} does not exist`);
      case 'SUCCESS':
        return status.output === null ? null : decode(status.output);
      case 'ERROR':
        throw toError(status.error);
      case 'CANCELLED':
        throw new DBOSAwaitedWorkflowCancelledError(id);
      case 'MAX_RECOVERY_ATTEMPTS_EXCEEDED':
        throw new DBOSAwaitedWorkflowExceededMaxRecoveryAttempts(id);
      default:
        await pauseUntil(Date.now() + everyMs, signal);
    }
  }
}

function toError(error: unknown): Error {
  const { name = 'Error', message = '' } = (error ?? {}) as { name?: string; message?: string };
  return Object.assign(new Error(message), { name });
}

export function getWorkflowStatus(id: string): Promise<object | null> {
  return recorded('DBOS.getStatus', [id], async () => {
    const status = (await theSession().ask('workflow-status', { workflow: id })) as LabStatus | null;
    return status === null ? null : toDbosStatus(status);
  });
}

function toDbosStatus(status: LabStatus): object {
  return {
    workflowID: status.workflow,
    status: status.status,
    workflowName: status.name,
    workflowClassName: '',
    input: [status.input],
    output: status.output === null ? undefined : decode(status.output),
    error: status.error === null ? undefined : toError(status.error),
    createdAt: status.createdAt,
    updatedAt: status.updatedAt,
    priority: 0,
    recoveryAttempts: status.recoveryAttempts,
  };
}

const knownFilters = ['workflowName', 'status', 'limit', 'loadInput', 'loadOutput'];

/** Runs of the lab by name and status. Other filters are not in the embedded engine. */
export function listWorkflows(input: Record<string, unknown> = {}): Promise<object[]> {
  for (const key of Object.keys(input))
    if (!knownFilters.includes(key)) absent(`the filter ${key} of DBOS.listWorkflows`);
  const { workflowName = null, status = null, limit = null } = input;
  for (const value of [workflowName, status])
    if (Array.isArray(value)) absent('a filter of DBOS.listWorkflows with several values');
  return recorded('DBOS.listWorkflows', [input], async () => {
    const found = await theSession().ask('list-workflows', {
      name: workflowName as string | null,
      status: status as string | null,
      limit: limit as number | null,
    });
    return (found as LabStatus[]).map(toDbosStatus);
  });
}

export function listWorkflowSteps(id: string, page: { limit?: number; offset?: number } = {}): Promise<object[]> {
  return recorded('DBOS.listWorkflowSteps', [id, page], async () => {
    const steps = (await theSession().ask('list-steps', { workflow: id })) as WorkflowStep[];
    const { offset = 0, limit = steps.length } = page;
    return steps.slice(offset, offset + limit).map((step) => ({
      functionID: Number(step.id.slice(step.id.lastIndexOf('.') + 1)),
      name: step.name,
      output: step.output === null ? null : decode(step.output),
      error: step.error === null ? null : toError(step.error),
      childWorkflowID: step.childWorkflow,
      startedAtEpochMs: step.startedAt,
      completedAtEpochMs: step.completedAt ?? undefined,
    }));
  });
}

/** Cancels a workflow that this run started, with all that it started, or another run. */
export async function cancelWorkflow(id: string): Promise<void> {
  const own = startedWorkflow(id);
  await recorded('DBOS.cancelWorkflow', [id], async () => {
    if (own === undefined) await theSession().ask('cancel-workflow', { workflow: id });
  });
  // After the record, and again in each attempt: a workflow of this process is cancelled in this process.
  if (own !== undefined) cancelWorkflowHere(own.workflow);
}

export async function forkWorkflow(
  id: string,
  startStep: number,
  options: Record<string, unknown> = {},
): Promise<WorkflowHandle> {
  const { newWorkflowID = null, ...others } = options;
  for (const key of Object.keys(others)) absent(`the option ${key} of DBOS.forkWorkflow`);
  const forked = await recorded('DBOS.forkWorkflow', [id, startStep, newWorkflowID], () =>
    theSession().ask('fork-workflow', { workflow: id, startStep, newWorkflow: newWorkflowID as string | null }),
  );
  return new WorkflowHandle(forked as string);
}
