import { fileURLToPath } from 'node:url';
import type { ServiceName } from '../../scenarios/services/index.ts';

const source = (name: string): string =>
  fileURLToPath(new URL(`../../scenarios/services/${name}/main.ts`, import.meta.url));

/** The services' sources, which Node runs as they are. */
export const serviceScripts: Readonly<Record<ServiceName, string>> = {
  'order-service': source('order-service'),
  'audit-log': source('audit-log'),
  inventory: source('inventory'),
};
