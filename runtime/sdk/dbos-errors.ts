/**
 * The error classes of `@dbos-inc/dbos-sdk`, by the names, codes and fields that its types promise. Unlike there, each
 * has its class as `name`, so that history tells them apart and gives the same class back.
 */
export class DBOSError extends Error {
  readonly dbosErrorCode: number;

  constructor(message: string, dbosErrorCode = 1) {
    super(message);
    this.dbosErrorCode = dbosErrorCode;
    Object.defineProperty(this, 'name', { value: new.target.name, configurable: true, writable: true });
  }
}

class DBOSInitializationError extends DBOSError {
  constructor(message: string) {
    super(message, 3);
  }
}

export class DBOSWorkflowConflictError extends DBOSError {
  constructor(workflowID: string) {
    super(`Workflow ${workflowID} is no longer owned by this execution`, 5);
  }
}

export class DBOSNotRegisteredError extends DBOSError {
  constructor(name: string, message?: string) {
    super(message ?? `Operation (Name: ${name}) not registered`, 6);
  }
}

export class DBOSNonExistentWorkflowError extends DBOSError {
  constructor(message: string) {
    super(message, 16);
  }
}

export class DBOSInvalidWorkflowTransitionError extends DBOSError {
  constructor(message = 'Invalid workflow state') {
    super(message, 21);
  }
}

class DBOSConflictingWorkflowError extends DBOSError {
  constructor(workflowID: string, message: string) {
    super(`Conflicting workflow invocation with the same ID (${workflowID}): ${message}`, 22);
  }
}

export class DBOSMaxStepRetriesError extends DBOSError {
  readonly errors: Error[];

  constructor(stepName: string, maxRetries: number, errors: Error[]) {
    const list = errors.map((error, index) => `Error ${index + 1}: ${error.message}`).join('. ');
    super(`Step ${stepName} has exceeded its maximum of ${maxRetries} retries. Previous errors: ${list}`, 23);
    this.errors = errors;
  }
}

export class DBOSWorkflowCancelledError extends DBOSError {
  readonly workflowID: string;

  constructor(workflowID: string) {
    super(`Workflow ${workflowID} has been cancelled`, 24);
    this.workflowID = workflowID;
  }
}

class DBOSConflictingRegistrationError extends DBOSError {
  constructor(message: string) {
    super(message, 25);
  }
}

export class DBOSAwaitedWorkflowCancelledError extends DBOSError {
  readonly workflowID: string;

  constructor(workflowID: string) {
    super(`Awaited ${workflowID} was cancelled`, 27);
    this.workflowID = workflowID;
  }
}

export class DBOSAwaitedWorkflowExceededMaxRecoveryAttempts extends DBOSError {
  readonly workflowID: string;

  constructor(workflowID: string) {
    super(`Awaited ${workflowID} exceeded its maximum recovery attempts`, 30);
    this.workflowID = workflowID;
  }
}

export class DBOSStepTimeoutError extends DBOSError {
  readonly stepName: string;
  readonly timeoutMS: number;

  constructor(stepName: string, timeoutMS: number) {
    super(`Step ${stepName} timed out after ${timeoutMS}ms`, 31);
    this.stepName = stepName;
    this.timeoutMS = timeoutMS;
  }
}

export class DBOSInvalidWorkflowInputError extends DBOSError {
  constructor(workflowName: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`Could not serialize the arguments to workflow ${workflowName}: ${why}`, 32);
  }
}

export class DBOSStreamTimeoutError extends DBOSError {
  readonly workflowID: string;
  readonly key: string;
  readonly timeoutMS: number | undefined;

  constructor(workflowID: string, key: string, timeoutMS?: number) {
    const within = timeoutMS === undefined ? '' : ` within ${timeoutMS}ms`;
    super(`No value arrived on stream ${key} of workflow ${workflowID}${within}`, 33);
    this.workflowID = workflowID;
    this.key = key;
    this.timeoutMS = timeoutMS;
  }
}

class DBOSWorkflowIDInUseError extends DBOSError {
  readonly workflowID: string;

  constructor(workflowID: string, status: string, workflowName: string) {
    super(`Workflow ID ${workflowID} is already in use by workflow ${workflowName} with status ${status}.`, 36);
    this.workflowID = workflowID;
  }
}

export class DBOSStepNondeterminismError extends DBOSError {
  constructor(workflowID: string, stepID: number) {
    super(
      `Step ${stepID} of workflow ${workflowID} was recorded twice by the same execution with different results.`,
      37,
    );
  }
}

export class PortableWorkflowError extends Error {
  readonly code: number | string | undefined;
  readonly data: unknown;

  constructor(message: string, name: string, code?: number | string, data?: unknown) {
    super(message);
    this.name = name;
    this.code = code;
    this.data = data;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? (error as { dbosErrorCode?: unknown }).dbosErrorCode : undefined;
}

/** What the package exports as `Error`. */
export const dbosErrors = {
  DBOSError,
  DBOSInitializationError,
  DBOSWorkflowConflictError,
  DBOSNotRegisteredError,
  DBOSNonExistentWorkflowError,
  DBOSInvalidWorkflowTransitionError,
  DBOSConflictingWorkflowError,
  DBOSMaxStepRetriesError,
  DBOSWorkflowCancelledError,
  DBOSConflictingRegistrationError,
  DBOSAwaitedWorkflowCancelledError,
  DBOSAwaitedWorkflowExceededMaxRecoveryAttempts,
  DBOSStepTimeoutError,
  DBOSInvalidWorkflowInputError,
  DBOSStreamTimeoutError,
  DBOSWorkflowIDInUseError,
  DBOSStepNondeterminismError,
  getDBOSErrorCode: (error: unknown): number | undefined => {
    const code = codeOf(error);
    return typeof code === 'number' ? code : undefined;
  },
  isStreamTimeoutError: (error: unknown): boolean => codeOf(error) === 33,
  isWorkflowIDInUseError: (error: unknown): boolean => codeOf(error) === 36,
};
