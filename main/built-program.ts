import { findPackageJSON } from 'node:module';
import { join } from 'node:path';

/** No program can be started from inside an archive; packaging keeps such files beside it, under this name. */
const unpacked = (path: string): string => path.replace(/\.asar(?=[\\/])/, '.asar.unpacked');

/** Path of a built program that stands beside this one, by its name under `out/main`. */
export function builtProgram(name: string): string {
  return unpacked(join(import.meta.dirname, name));
}

/** Where the lab's own relays stand: in its package, beside the built programs. */
export function relaySource(name: string): string {
  return unpacked(join(findPackageJSON(import.meta.url) ?? '', '..', 'scenarios', 'relays', name));
}
