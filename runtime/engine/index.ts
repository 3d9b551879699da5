export { openEngine } from './engine.ts';
export type { Engine } from './engine.ts';
export type { ForkOrder, ReconcileOrder, StartOrder } from './orders.ts';
export type { EngineParts } from './engine-parts.ts';
export type {
  Admission,
  Committed,
  Ledger,
  Platform,
  PlatformCall,
  ProcessListener,
  ProcessSpec,
  RelayProcess,
  Release,
  Releases,
  Services,
  Supervisor,
} from './ports.ts';
