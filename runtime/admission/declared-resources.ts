import type { Manifest } from '../contract/index.ts';
import type { Resource } from '../core/index.ts';

/**
 * Everything that a relay's manifest says it will use. Starting a relay from one's own folder grants these, where no
 * decision stands yet: a revocation outlives every later start.
 */
export function declaredResources(
  manifest: Pick<Manifest, 'name' | 'services' | 'secrets'> & { readonly mcp: Readonly<Record<string, unknown>> },
): Resource[] {
  return [
    `relay:${manifest.name}`,
    ...Object.keys(manifest.mcp).map((name): Resource => `mcp:${name}`),
    ...manifest.services.map((name): Resource => `service:${name}`),
    ...manifest.secrets.map((name): Resource => `secret:${manifest.name}/${name}`),
  ];
}
