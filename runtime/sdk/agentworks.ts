/** What relays import as `agentworks`: types and meaning. At run time the sdk's one bundle stands in for it. */
export { agent } from './agent.ts';
export type { AgentOptions, AgentServer } from './agent.ts';
export type { LegacyContext, LegacyStepOptions } from './legacy.ts';
export { mcp } from './mcp.ts';
export type { McpOptions } from './mcp.ts';
export { admit, runDir, service, variables, vault } from './surroundings.ts';
export { AdmissionDeniedError } from './thrown.ts';
export { tool } from './tool.ts';
export type { Tool, ToolOptions } from './tool.ts';
