import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** This product's version, from the package that this file belongs to: as source, built, or packed into the app. */
export function productVersion(): string {
  const manifest = findPackageJSON(import.meta.url);
  if (manifest === undefined) return 'unknown';
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
