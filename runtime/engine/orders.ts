import type { Run } from '../contract/index.ts';
import type { CrashPoint } from '../crash/index.ts';
import type { Json, OperationId } from '../core/index.ts';
import type { Release } from './ports.ts';

export type Recovery = Run['recovery'];

export interface StartOrder {
  readonly release: Release;
  readonly draftFolder: string | null;
  /** JSON text. */
  readonly input: string;
  readonly id: string | null;
  readonly crashPlan: readonly CrashPoint[];
  readonly recovery: Recovery;
  readonly caller: string;
}

export interface ForkOrder {
  readonly run: string;
  readonly operation: OperationId;
  readonly id: string | null;
  readonly input: string | null;
  readonly crashPlan: readonly CrashPoint[];
  readonly recovery: Recovery;
}

export interface ReconcileOrder {
  readonly run: string;
  readonly revision: number;
  readonly operation: OperationId;
  readonly decision:
    | { readonly kind: 'accept'; readonly value: Json }
    | { readonly kind: 'again' }
    | { readonly kind: 'fail'; readonly message: string };
  readonly by: string;
  readonly crashPlan: readonly CrashPoint[];
}
