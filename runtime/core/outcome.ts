import type { WireError } from './errors.ts';

/**
 * How an operation or a run ended: a value or an error. The value is serialised text (superjson for operations, JSON
 * for a run's result): hosts keep it as they got it and never need to understand it.
 */
export type Outcome = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly error: WireError };
