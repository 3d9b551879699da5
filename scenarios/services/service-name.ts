/** The lab's own services, each with what it does once it has done its work: the table of its database. */
export const serviceEffects = {
  'order-service': 'orders',
  'audit-log': 'lines',
  inventory: 'reservations',
} as const;
export type ServiceName = keyof typeof serviceEffects;

export const serviceNames = Object.keys(serviceEffects) as ServiceName[];

/** Those that speak HTTP; the inventory is an MCP server. */
export const httpServices = ['order-service', 'audit-log'] as const satisfies readonly ServiceName[];
export type HttpServiceName = (typeof httpServices)[number];
