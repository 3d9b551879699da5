import { ConfiguredInstance } from './configured-instance.ts';
import { DBOSInvalidWorkflowTransitionError } from './dbos-errors.ts';
import { callStep, checkStepConfig, type StepConfig } from './step.ts';
import { registerWorkflow, type WorkflowConfig } from './workflow.ts';

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Works as a legacy decorator (target, key, descriptor) and as a standard one (method, context). */
export type MethodDecorator = (
  target: object,
  key: string | symbol | ClassMethodDecoratorContext,
  descriptor?: PropertyDescriptor,
) => unknown;

export function workflowDecorator(config: WorkflowConfig = {}): MethodDecorator {
  return decorator((method, key) => registerWorkflow(config.name ?? key, config, onInstances('workflow', method)));
}

export function stepDecorator(config: StepConfig = {}): MethodDecorator {
  return decorator((method, key) => registerStep(onInstances('step', method), config.name ?? key, config));
}

/** Makes a function that runs `body` as a step when a workflow calls it. */
export function registerStep(body: Method, name: string, config: StepConfig): Method {
  checkStepConfig(config, name);
  const call = function (this: unknown, ...args: unknown[]): Promise<unknown> {
    return callStep({ name, config, arguments: args, body: () => body.apply(this, args), called: call });
  };
  Object.defineProperty(call, 'name', { value: name });
  return call;
}

function decorator(wrap: (method: Method, key: string) => Method): MethodDecorator {
  return (target, key, descriptor) => {
    if (typeof key === 'object') return wrap(target as Method, String(key.name));
    return { ...descriptor, value: wrap(descriptor?.value as Method, String(key)) };
  };
}

function onInstances(what: string, method: Method): Method {
  return function (this: unknown, ...args: unknown[]) {
    if (this === undefined || typeof this === 'function' || this instanceof ConfiguredInstance)
      return method.apply(this, args);
    throw new DBOSInvalidWorkflowTransitionError(
      `Attempt to call a \`${what}\` function on an object that is not a \`ConfiguredInstance\``,
    );
  };
}
