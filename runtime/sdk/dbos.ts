import type { DBOS as RealDbos } from '@dbos-inc/dbos-sdk';
import { absent } from './absent.ts';
import { patch, recorded, sleep } from './built-in.ts';
import { registerStep, stepDecorator, workflowDecorator } from './decorators.ts';
import { logger } from './logger.ts';
import { closeStream, getEvent, recv, send, setEvent, writeStream } from './messages.ts';
import { currentScope, inScope, type Scope, type StepStatus } from './scope.ts';
import { startWorkflow } from './start-workflow.ts';
import { callStep, checkStepConfig, type StepConfig } from './step.ts';
import { readStream } from './streams.ts';
import {
  cancelWorkflow,
  forkWorkflow,
  getResult,
  getWorkflowStatus,
  listWorkflows,
  listWorkflowSteps,
  WorkflowHandle,
} from './workflow-handle.ts';
import { registerWorkflow, type Registration, type WorkflowConfig } from './workflow.ts';
import { LabError } from '../core/index.ts';

type Body = Registration['body'];
interface FunctionName {
  name?: string;
}

/** What of `DBOS` the embedded engine has (DESIGN.md section 6). Its types, for relays, are those of the real package. */
const facade = {
  registerWorkflow: (body: Body, config: WorkflowConfig = {}) =>
    registerWorkflow(config.name ?? body.name, config, body),
  workflow: workflowDecorator,
  registerStep: (body: Body, config: StepConfig & FunctionName = {}) =>
    registerStep(body, config.name ?? body.name, config),
  step: stepDecorator,
  runStep,
  startWorkflow,
  sleep,
  sleepms: sleep,
  sleepSeconds: (seconds: number) => sleep(seconds * 1000),
  now: () => recorded('DBOS.now', [], () => Date.now()),
  randomUUID: () => recorded('DBOS.randomUUID', [], () => process.getBuiltinModule('node:crypto').randomUUID()),
  send,
  recv,
  setEvent,
  getEvent,
  writeStream,
  closeStream,
  readStream,
  getWorkflowStatus,
  listWorkflows,
  listWorkflowSteps,
  getResult,
  retrieveWorkflow: (id: string) => new WorkflowHandle(id),
  cancelWorkflow,
  forkWorkflow,
  patch,
  withNextWorkflowID: (id: string, body: () => Promise<unknown>) => within({ nextWorkflowId: { value: id } }, body),
  withWorkflowTimeout: (timeoutMs: number | null, body: () => Promise<unknown>) =>
    within({ workflowTimeoutMs: timeoutMs }, body),
  logger,
  isInitialized: () => true,
  isWithinWorkflow: () => currentScope() !== undefined,
  isInWorkflow: () => currentScope()?.kind === 'workflow',
  isInStep: () => (currentScope()?.kind ?? 'workflow') !== 'workflow',
  isInTransaction: () => false,
  get workflowID(): string | undefined {
    return currentScope()?.workflow.id;
  },
  get stepID(): number | undefined {
    return currentScope()?.step?.stepID;
  },
  get stepStatus(): StepStatus | undefined {
    return currentScope()?.step ?? undefined;
  },
} satisfies Partial<Record<keyof typeof RealDbos, unknown>>;

function runStep(body: () => unknown, config: StepConfig & FunctionName = {}): Promise<unknown> {
  const name = config.name ?? body.name;
  checkStepConfig(config, name);
  return callStep({ name, config, arguments: [], body, called: runStep });
}

/** Facts for what is started inside; numbers are taken from the same workflow. */
async function within(facts: Partial<Scope>, body: () => Promise<unknown>): Promise<unknown> {
  const scope = currentScope();
  if (scope === undefined) return body();
  return inScope({ ...scope, ...facts }, body);
}

const platformOwned = ['launch', 'shutdown', 'setConfig'];

/** The facade; every other member throws an error that names it. */
export const DBOS: object = new Proxy(facade, {
  get(target, key, receiver): unknown {
    if (typeof key === 'symbol' || key in target) return Reflect.get(target, key, receiver);
    if (!platformOwned.includes(key)) return absent(`DBOS.${key}`);
    throw new LabError(
      'not-supported',
      `DBOS.${key} belongs to the platform, which starts and ends the engine`,
      'Leave the call out: export the workflow as run.',
    );
  },
});
