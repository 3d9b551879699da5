export { openServiceDesk } from './service-desk.ts';
export type { BuiltInServer, ServiceDesk } from './service-desk.ts';
export type { ServiceName } from './service-name.ts';
export type { ServiceStats } from './service-records.ts';
