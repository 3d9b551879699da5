export { findScenario, scenarios } from './catalog.ts';
export { runScenario } from './run-scenario.ts';
export type { ScenarioWatch } from './run-scenario.ts';
export type { EvidenceProgress, Scenario, ScenarioLab } from './scenario.ts';
export { exampleInputs } from './example-inputs.ts';
export { openServiceDesk, readServiceRequests } from './services/index.ts';
export type { ServiceDesk } from './services/index.ts';
