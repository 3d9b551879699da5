import {
  childArguments,
  questionInputs,
  type FromChild,
  type Operation,
  type Run,
  type WorkflowStatus,
  type WorkflowStep,
} from '../contract/index.ts';
import {
  asLabError,
  childId,
  LabError,
  toWireError,
  type Json,
  type OperationId,
  type Outcome,
  type WireError,
} from '../core/index.ts';
import type { AttemptContext } from './attempt-context.ts';
import { admissionError } from './hosted-operations.ts';
import { checkAdmission } from './platform-admission.ts';
import type { Ledger } from './ports.ts';
import { answerVault } from './secret-answer.ts';

type Ask = Extract<FromChild, { tag: 'ask' }>;

/** Other runs' work that a relay may ask for. */
export interface WorkflowCommands {
  cancel(run: string): Promise<void>;
  fork(run: string, operation: OperationId, id: string | null): Promise<Run>;
}

/** Answers a question that leaves no operation in history. The answer's value is JSON text. */
export async function answerQuestion(context: AttemptContext, frame: Ask, commands: WorkflowCommands): Promise<void> {
  let outcome: Outcome;
  try {
    outcome = { ok: true, value: JSON.stringify(await answer(frame, context, commands)) };
  } catch (thrown) {
    outcome = { ok: false, error: questionError(thrown) };
  }
  if (!context.isOver()) context.send({ tag: 'reply', call: frame.call, outcome });
}

function questionError(thrown: unknown): WireError {
  const error = asLabError(thrown);
  if (error.code === 'admission-denied' || error.code === 'binding-changed') return admissionError(error);
  return { ...toWireError(error), code: error.code, fields: error.facts };
}

async function answer(frame: Ask, context: AttemptContext, commands: WorkflowCommands): Promise<Json> {
  const { ledger } = context.parts;
  switch (frame.question) {
    case 'admit':
      await admitOrThrow(frame, context, 'admit', []);
      return true;
    case 'service': {
      const { name } = questionInputs.service.parse(frame.input);
      if (!context.release.manifest.services.includes(name)) {
        throw new LabError(
          'not-found',
          `service("${name}"): the relay's manifest names ${listed(context.release.manifest.services)}`,
          `Add "${name}" to "services" in relay.json.`,
        );
      }
      await admitOrThrow(frame, context, `service ${name}`, [`service:${name}`]);
      return context.parts.services.baseUrl(name);
    }
    case 'vault': {
      const { name } = questionInputs.vault.parse(frame.input);
      return answerVault(context, name, frame.operation);
    }
    case 'workflow-status': {
      const { workflow } = questionInputs['workflow-status'].parse(frame.input);
      return statusOf(ledger, workflow);
    }
    case 'list-workflows': {
      const { name, status, limit } = questionInputs['list-workflows'].parse(frame.input);
      const runs = ledger.listRuns({ before: null, limit: 1000, relay: name, state: null });
      const all = runs.map(runStatus).filter((item) => status === null || item.status === status);
      return all.slice(0, limit ?? all.length);
    }
    case 'list-steps': {
      const { workflow } = questionInputs['list-steps'].parse(frame.input);
      return stepsOf(ledger, workflow);
    }
    case 'cancel-workflow': {
      const { workflow } = questionInputs['cancel-workflow'].parse(frame.input);
      await commands.cancel(workflow);
      return null;
    }
    case 'fork-workflow': {
      const { workflow, startStep, newWorkflow } = questionInputs['fork-workflow'].parse(frame.input);
      return (await commands.fork(workflow, childId(null, startStep), newWorkflow)).id;
    }
    case 'read-event': {
      const { workflow, key } = questionInputs['read-event'].parse(frame.input);
      return ledger.workflowEvent(workflow, key);
    }
    case 'read-stream': {
      const { workflow, key, from } = questionInputs['read-stream'].parse(frame.input);
      const { values, closed } = ledger.stream(workflow, key, from);
      return { values, closed };
    }
  }
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'no services' : names.join(', ');
}

async function admitOrThrow(
  frame: Ask,
  context: AttemptContext,
  name: string,
  connections: `service:${string}`[],
): Promise<void> {
  const { parts, run } = context;
  const check = await checkAdmission(parts, run, {
    name,
    attempt: run.attempts,
    operation: frame.operation,
    connections,
  });
  await context.commit([check.receipt]);
  if (check.refusal !== null) throw check.refusal;
}

function runStatus(run: Run): WorkflowStatus {
  const status = {
    queued: 'ENQUEUED',
    running: 'PENDING',
    waiting: 'PENDING',
    interrupted: 'PENDING',
    needs_reconciliation: 'PENDING',
    cancel_requested: 'PENDING',
    succeeded: 'SUCCESS',
    failed: 'ERROR',
    cancelled: 'CANCELLED',
  } as const;
  const spent = run.error !== null && run.error.code === 'budget-spent';
  return {
    workflow: run.id,
    name: run.relay,
    status: spent ? 'MAX_RECOVERY_ATTEMPTS_EXCEEDED' : status[run.state],
    output: run.state === 'succeeded' ? JSON.stringify({ json: run.result }) : null,
    error:
      run.error === null
        ? null
        : { name: 'name' in run.error ? run.error.name : 'LabError', message: run.error.message },
    input: JSON.parse(run.input) as Json,
    createdAt: run.createdAt,
    updatedAt: run.finishedAt ?? run.startedAt ?? run.createdAt,
    recoveryAttempts: run.attempts,
  };
}

function childStatus(operation: Operation): WorkflowStatus | null {
  const child = childArguments.safeParse(JSON.parse(operation.arguments ?? 'null'));
  if (!child.success) return null;
  const { outcome } = operation;
  return {
    workflow: child.data.workflow,
    name: child.data.name,
    status: outcome === null ? 'PENDING' : outcome.ok ? 'SUCCESS' : 'ERROR',
    output: outcome?.ok === true ? outcome.value : null,
    error: outcome?.ok === false ? { name: outcome.error.name, message: outcome.error.message } : null,
    input: null,
    createdAt: operation.intendedAt,
    updatedAt: operation.checkpointedAt ?? operation.intendedAt,
    recoveryAttempts: operation.bodies,
  };
}

function statusOf(ledger: Ledger, workflow: string): WorkflowStatus | null {
  const run = ledger.run(workflow);
  if (run !== null) return runStatus(run);
  const child = ledger.childWorkflow(workflow);
  return child === null ? null : childStatus(child);
}

function stepsOf(ledger: Ledger, workflow: string): WorkflowStep[] {
  const child = ledger.childWorkflow(workflow);
  const run = child?.run ?? workflow;
  const prefix = child === null ? '' : `${child.id}.`;
  return ledger
    .operations(run, { after: null, limit: 1000 })
    .filter((operation) => operation.id.startsWith(prefix) && !operation.id.slice(prefix.length).includes('.'))
    .map(stepOf);
}

function stepOf(operation: Operation): WorkflowStep {
  const { outcome } = operation;
  const child = operation.kind === 'child' ? childArguments.safeParse(JSON.parse(operation.arguments ?? 'null')) : null;
  return {
    id: operation.id,
    name: operation.name,
    output: outcome?.ok === true ? outcome.value : null,
    error: outcome?.ok === false ? { name: outcome.error.name, message: outcome.error.message } : null,
    childWorkflow: child?.success === true ? child.data.workflow : null,
    startedAt: operation.intendedAt,
    completedAt: operation.checkpointedAt,
  };
}
