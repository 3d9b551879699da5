import { orderInput, orderRelay } from './rehearsals/order.ts';

/** By relay, an input that its scenarios are played with. */
export const exampleInputs: Readonly<Record<string, object>> = {
  [orderRelay]: orderInput,
  'audit-uncertain': { line: 'the vault was opened' },
  'journaled-tool': { entry: 'opening', line: 'the vault was opened', canRecover: true },
  nondeterministic: {},
  poison: {},
  'replay-safe': { customer: 'Grace' },
  'revoked-mid-run': { check: 'admit', items: 1000 },
  'slow-drain': { heedsCancel: true },
};
