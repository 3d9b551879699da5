export { event } from './run.ts';
export type { Attempt, EventType, LabEvent, Operation, Permission, Receipt, Run } from './run.ts';
export { fromChild, protocolVersion, toChild } from './child-protocol.ts';
export type { FromChild, HostedKind, Question, ToChild } from './child-protocol.ts';
export { eventData } from './event-data.ts';
export type { EventData } from './event-data.ts';
export { manifest } from './manifest.ts';
export type { Manifest, McpServer } from './manifest.ts';
export type {
  DoctorCheck,
  Evidence,
  Gives,
  Handlers,
  LabClient,
  RunDetail,
  ScenarioResult,
  Takes,
} from './client-api.ts';
export { childArguments, hostedCall, questionInputs } from './hosted-calls.ts';
export type { HostedCall, WorkflowStatus, WorkflowStep } from './hosted-calls.ts';
export { fixtureScript } from './fixture-script.ts';
export type { FixtureScript } from './fixture-script.ts';
export { parseAgentCall, parseMcpCall } from './platform-call.ts';
export type { AgentCall, McpCall } from './platform-call.ts';
export { describeIssues } from './schema-issues.ts';
export { clientFrameBytes } from './client-frames.ts';
export type { FramePort, FromHost, ToHost } from './client-frames.ts';
export { connectClient } from './client-connect.ts';
export { localClient, serveClient } from './client-serve.ts';
export type { ClientService, FollowEvents } from './client-serve.ts';
