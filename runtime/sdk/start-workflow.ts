import { absent } from './absent.ts';
import { ConfiguredInstance } from './configured-instance.ts';
import { DBOSInvalidWorkflowTransitionError, DBOSNotRegisteredError } from './dbos-errors.ts';
import { beginWorkflow, registrationOf, type StartOptions } from './workflow.ts';
import { WorkflowHandle } from './workflow-handle.ts';

type Starter = (...args: unknown[]) => Promise<WorkflowHandle>;

/** `startWorkflow(fn)(…)`, `startWorkflow(Class).method(…)` or `startWorkflow(instance).method(…)`. */
export function startWorkflow(target: object, params: Record<string, unknown> = {}): object {
  const options = startOptions(params);
  if (registrationOf(target) !== undefined) return starter(target, undefined, options);
  if (typeof target !== 'function' && !(target instanceof ConfiguredInstance)) {
    throw new DBOSInvalidWorkflowTransitionError(
      'Attempt to call `startWorkflow` on an object that is not a `ConfiguredInstance`',
    );
  }
  return new Proxy(target, {
    get: (_target, key) => starter(Reflect.get(target, key), target, options),
    apply: () => notRegistered(target),
  });
}

function starter(workflow: unknown, self: unknown, options: StartOptions): Starter {
  const registration = registrationOf(workflow);
  if (registration === undefined) return notRegistered(workflow as { name: string } | undefined);
  return async (...args) => {
    const { workflow: begun, standing } = beginWorkflow(registration, self, args, options);
    await standing;
    return new WorkflowHandle(begun.id);
  };
}

function notRegistered(target: { name: string } | undefined): never {
  const name = target?.name ?? 'undefined';
  throw new DBOSNotRegisteredError(name, `${name} is not a registered DBOS workflow function`);
}

function startOptions(params: Record<string, unknown>): StartOptions {
  const { workflowID, timeoutMS, workflowIDReusePolicy, ...others } = params;
  if (workflowIDReusePolicy === 'reject') absent("the option workflowIDReusePolicy: 'reject' of DBOS.startWorkflow");
  for (const key of Object.keys(others)) absent(`the option ${key} of DBOS.startWorkflow`);
  return {
    ...(workflowID === undefined ? {} : { workflowID: workflowID as string }),
    ...(timeoutMS === undefined ? {} : { timeoutMS: timeoutMS as number | null }),
    wait: true,
  };
}
