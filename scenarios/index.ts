export { findScenario, scenarios } from './catalog.ts';
export { runScenario } from './run-scenario.ts';
export type { EvidenceProgress, Scenario, ScenarioLab } from './scenario.ts';
export { openServiceDesk } from './services/index.ts';
export type { ServiceDesk } from './services/index.ts';
