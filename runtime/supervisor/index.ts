export { OutputReader } from './output-reader.ts';
export { readProcess } from './process-facts.ts';
export { openSupervisor } from './supervisor.ts';
export type { OpenSupervisor } from './supervisor.ts';
export type { OutputPiece, ProcessSpec, RelayProcess } from './process-spec.ts';
export type { NodeProgram } from './sandbox.ts';
