import { createRequire, findPackageJSON } from 'node:module';
import { join } from 'node:path';

/** No program can be started from inside an archive; packaging keeps such files beside it, under this name. */
const unpacked = (path: string): string => path.replace(/\.asar(?=[\\/])/, '.asar.unpacked');

/** Path of what is built for this process alone to read, by its name under `out`: it may lie inside an archive. */
export function builtFile(name: string): string {
  return join(import.meta.dirname, '..', name);
}

/** Path of a built program that stands beside this one, by its name under `out/main`. */
export function builtProgram(name: string): string {
  return unpacked(join(import.meta.dirname, name));
}

/** Where the lab's own relays stand: in its package, beside the built programs. */
export function relaySource(name: string): string {
  return unpacked(join(findPackageJSON(import.meta.url) ?? '', '..', 'scenarios', 'relays', name));
}

/**
 * Tells the compiler of relays where its own program stands when this one runs from an archive: it would look for it
 * inside. To be called before the compiler is loaded. Does nothing outside an archive.
 */
export function nameUnpackedCompiler(): void {
  if (!import.meta.url.includes('.asar/')) return;
  const name = `@esbuild/${process.platform}-${process.arch}/bin/esbuild`;
  process.env['ESBUILD_BINARY_PATH'] = unpacked(createRequire(import.meta.url).resolve(name));
}
