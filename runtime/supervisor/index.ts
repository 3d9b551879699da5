export { openSupervisor } from './supervisor.ts';
export type { OpenSupervisor, SupervisorOptions } from './supervisor.ts';
export type { OutputPiece, ProcessListener, ProcessSpec, RelayProcess } from './process-spec.ts';
export type { NodeProgram } from './sandbox.ts';
export type { WallReport } from './wall-probe.ts';
