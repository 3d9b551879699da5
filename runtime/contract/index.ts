// What the page says in the words of core, which it may not import itself.
export {
  asLabError,
  describeEnd,
  errorClasses,
  isLive,
  isTerminal,
  LabError,
  parentId,
  toSortKey,
} from '../core/index.ts';
export type {
  EndCause,
  Json,
  OperationId,
  OperationKind,
  ProcessIdentity,
  RunState,
  WireError,
} from '../core/index.ts';
export { event } from './run.ts';
export type { Attempt, EventType, LabEvent, Operation, OperationDetail, Permission, Receipt, Run } from './run.ts';
export { fromChild, protocolVersion, toChild } from './child-protocol.ts';
export type { FromChild, HostedKind, Question, ToChild } from './child-protocol.ts';
export { eventData } from './event-data.ts';
export type { EventData } from './event-data.ts';
export { manifest } from './manifest.ts';
export type { Manifest, McpServer } from './manifest.ts';
export type { CallName, FeedItem, FeedName, FeedOutlet, Feeds, FeedTakes } from './client-api.ts';
export type { Gives, Handlers, LabClient, Takes } from './client-api.ts';
export type { RunDetail } from './run-calls.ts';
export type { RunFile, RunFileContent, RunGraph, ServiceRecord } from './run-evidence.ts';
export type { RelayRow, ReleaseRow } from './relay-calls.ts';
export type { DoctorCheck, LabInfo, LabStatus, ServiceState, Settings } from './lab-state.ts';
export type { Evidence, ScenarioProgress, ScenarioResult, ScenarioRow } from './scenario.ts';
export { portMessage } from './window-port.ts';
export { menuCommands } from './menu-commands.ts';
export type { MenuCommand } from './menu-commands.ts';
export { resumeAfter } from './feeds.ts';
export type { OutputPlace } from './feeds.ts';
export { childArguments, hostedCall, questionInputs } from './hosted-calls.ts';
export type { HostedCall, WorkflowStatus, WorkflowStep } from './hosted-calls.ts';
export { fixtureScript } from './fixture-script.ts';
export type { FixtureScript } from './fixture-script.ts';
export { parseAgentCall, parseMcpCall } from './platform-call.ts';
export type { AgentCall, McpCall } from './platform-call.ts';
export { describeIssues } from './schema-issues.ts';
export { clientFrameBytes, clientSocketPath } from './client-frames.ts';
export type { FramePort, RpcFrame } from './client-frames.ts';
export { connectClient } from './client-connect.ts';
export { localClient, serveClient } from './client-serve.ts';
export type { ClientService } from './client-serve.ts';
