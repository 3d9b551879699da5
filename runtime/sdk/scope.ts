import { AsyncLocalStorage } from 'node:async_hooks';
import type { OperationId } from '../core/index.ts';

/** A workflow that runs in this process: the run itself, or one that it started. */
export interface Workflow {
  readonly id: string;
  readonly cancellation: AbortController;
  readonly children: Set<Workflow>;
  /** Milliseconds since 1970; passed on to the workflows that it starts. */
  deadlineAt: number | null;
}

export interface StepStatus {
  stepID: number;
  currentAttempt: number | undefined;
  maxAttempts: number | undefined;
  timeoutSignal: AbortSignal | undefined;
  readonly cancelSignal: AbortSignal;
}

/** Where in the run the code that is running belongs. Async contexts carry it. */
export interface Scope {
  /** `tool`: the callback of an agent's tool. */
  readonly kind: 'workflow' | 'step' | 'tool';
  readonly workflow: Workflow;
  /** The operation that operations begun here are nested in; null in the run's own workflow. */
  readonly operation: OperationId | null;
  /** Numbers are taken at the call, in call order. All tries of one step take from the same. */
  readonly numbers: { next: number };
  /** Set once the function has settled, or a try was given up: nothing may begin here any more. */
  readonly life: { over: boolean };
  readonly step: StepStatus | null;
  /** For the next workflow started here, once. */
  readonly nextWorkflowId: { value: string | null };
  /** For workflows started here: milliseconds, null for none, undefined for not said. */
  readonly workflowTimeoutMs: number | null | undefined;
}

const scopes = new AsyncLocalStorage<Scope>();

export function currentScope(): Scope | undefined {
  return scopes.getStore();
}

export function inScope<Result>(scope: Scope, body: () => Result): Result {
  return scopes.run(scope, body);
}

export function newWorkflow(id: string, parent: Workflow | null, deadlineAt: number | null): Workflow {
  const workflow = { id, cancellation: new AbortController(), children: new Set<Workflow>(), deadlineAt };
  parent?.children.add(workflow);
  if (parent?.cancellation.signal.aborted === true) workflow.cancellation.abort();
  return workflow;
}

export function workflowScope(workflow: Workflow, operation: OperationId | null): Scope {
  return {
    kind: 'workflow',
    workflow,
    operation,
    numbers: { next: 0 },
    life: { over: false },
    step: null,
    nextWorkflowId: { value: null },
    workflowTimeoutMs: undefined,
  };
}

/** Cancels a workflow and all that it started. */
export function cancelWorkflowHere(workflow: Workflow): void {
  workflow.cancellation.abort();
  for (const child of workflow.children) cancelWorkflowHere(child);
}

export function isCancelled(workflow: Workflow): boolean {
  return workflow.cancellation.signal.aborted;
}
