export { openSupervisor } from './supervisor.ts';
export type { OpenSupervisor } from './supervisor.ts';
export type { ProcessSpec, RelayProcess } from './process-spec.ts';
export type { NodeProgram } from './sandbox.ts';
