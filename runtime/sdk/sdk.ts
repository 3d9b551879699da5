import { registerHooks } from 'node:module';
import type { protocolVersion } from '../contract/index.ts';
import { absentClass } from './absent.ts';
import { LabError } from '../core/index.ts';
import { runRelay } from './runner.ts';
import { openSession } from './session.ts';
import { answerToolCall } from './tool-calls.ts';

/**
 * The program that a relay's process is started with, and the module that its bare imports `@dbos-inc/dbos-sdk` and
 * `agentworks` resolve to.
 */
export { ConfiguredInstance } from './configured-instance.ts';
export { DBOS } from './dbos.ts';
export {
  dbosErrors as Error,
  DBOSStepNondeterminismError,
  DBOSWorkflowConflictError,
  PortableWorkflowError,
} from './dbos-errors.ts';
export { StatusString } from './status.ts';
export { AdmissionDeniedError, admit, agent, mcp, runDir, service, tool, variables, vault } from './agentworks.ts';
export const DBOSClient = absentClass('DBOSClient');
export const Debouncer = absentClass('Debouncer');
export const DebouncerClient = absentClass('DebouncerClient');

const provided = new Set(['@dbos-inc/dbos-sdk', 'agentworks']);
const protocol: typeof protocolVersion = 1;

registerHooks({
  resolve: (specifier, context, next) =>
    provided.has(specifier) ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
});

const session = openSession({
  onStart: (start) => void runRelay(start),
  onTool: (frame) => void answerToolCall(frame),
});

// Errors that no await of the program leads to end the run as its own do; after the result they change nothing.
process.on('uncaughtException', (error) => session.fail(error));
process.on('unhandledRejection', (reason) => session.fail(reason));
process.on('beforeExit', () => {
  const what = 'the relay waits for a promise that nothing in its process will settle';
  session.fail(
    new LabError('relay-failed', what, 'Look for a callback that is never called, or a timer that was unref’d.'),
  );
});

session.send({ tag: 'hello', protocol, pid: process.pid, node: process.version });
