export { openEngine } from './engine.ts';
export type { Engine } from './engine.ts';
export type { EngineParts } from './engine-parts.ts';
export type { Ledger, ProcessListener, RelayProcess, Release, Supervisor } from './ports.ts';
