import { join } from 'node:path';

/**
 * The lab's own services. `effects`: the table of its database that holds what it does; `does`: the outcome of a request
 * that left a row there.
 */
export const services = {
  'order-service': {
    kind: 'http',
    effects: 'orders',
    does: 'created',
    description: 'Creates orders. Deduplicates: the same Idempotency-Key and body get the first answer again.',
  },
  'audit-log': {
    kind: 'http',
    effects: 'lines',
    does: 'appended',
    description: 'Appends lines. Does not deduplicate: the same request twice is two lines.',
  },
  inventory: {
    kind: 'mcp',
    effects: 'reservations',
    does: 'reserved',
    description: 'Reserves stock, over MCP. Deduplicates: the same orderRef gets the first answer again.',
  },
} as const;
export type ServiceName = keyof typeof services;

/** A service's database in the folder of them all. */
export function serviceFile(folder: string, name: ServiceName): string {
  return join(folder, `${name}.db`);
}

export const serviceNames = Object.keys(services) as ServiceName[];

/** Those that speak HTTP; the inventory is an MCP server. */
export const httpServices = ['order-service', 'audit-log'] as const satisfies readonly ServiceName[];
export type HttpServiceName = (typeof httpServices)[number];
