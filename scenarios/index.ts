export { findScenario, scenarios } from './catalog.ts';
export type { Expectation } from './claim.ts';
export type { ServiceRecords } from './run-facts.ts';
export { runScenario } from './run-scenario.ts';
export type { EvidenceProgress, Scenario, ScenarioLab } from './scenario.ts';
export { openServiceDesk } from './services/index.ts';
export type { BuiltInServer, ServiceDesk, ServiceName, ServiceStats } from './services/index.ts';
