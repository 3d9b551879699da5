export { openServiceDesk } from './service-desk.ts';
export { readServiceRequests } from './service-requests.ts';
export type { ServiceDesk } from './service-desk.ts';
export type { ServiceName } from './service-name.ts';
