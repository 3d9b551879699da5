import { receiptsAre, serviceDid } from '../claims/service-claims.ts';
import type { Claim } from '../claim.ts';
import type { RunFacts } from '../run-facts.ts';

/** The relay that most rehearsals play, with its input. */
export const orderRelay = 'order-fulfilment';
export const orderInput = { text: 'Ada Lovelace orders 12 widgets at 9.50 each.' };

/** What it ends with, whatever happens on the way. `total` in cents. */
export const orderResult = { orderId: 'order-dc0973da4505', total: 11_400 };

/** The goods are reserved once, and agent and inventory were called once, over all attempts. */
export const calledOnce: readonly Claim<RunFacts>[] = [
  serviceDid('inventory', { attempts: 1, keys: 1, effects: 1 }),
  receiptsAre('tool lookup_customer, agent extract, mcp inventory.reserve'),
];

export const orderedOnce = serviceDid('order-service', { attempts: 1, keys: 1, effects: 1 });
