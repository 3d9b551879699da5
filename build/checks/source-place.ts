import { posix, relative, sep } from 'node:path';
import { rights } from './layers.ts';

const layersByDepth = Object.keys(rights).sort((a, b) => b.length - a.length);

/** A path relative to the project's root, with forward slashes. */
export function projectPath(root: string, file: string): string {
  return relative(root, file).split(sep).join('/');
}

/** The layer that holds a file (path relative to the root), or null when no row of the table covers it. */
export function layerOf(path: string): string | null {
  if (!path.includes('/')) return '.';
  return layersByDepth.find((layer) => path.startsWith(`${layer}/`)) ?? null;
}

/** The path that a relative specifier means, seen from `importer`. */
export function resolveRelative(importer: string, specifier: string): string {
  return posix.normalize(posix.join(posix.dirname(importer), specifier));
}

/** The package that a bare specifier belongs to: `@scope/name/deep` → `@scope/name`. */
export function libraryOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** The door of a layer: the one file that other folders may import. */
export function doorOf(layer: string): string {
  return `${layer}/index.ts`;
}
