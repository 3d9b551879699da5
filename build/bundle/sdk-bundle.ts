import { isBuiltin } from 'node:module';
import { build } from 'esbuild';
import type { Plugin } from 'vite';

export interface SdkBundleOptions {
  /** Source file, relative to the project's root. */
  readonly entry: string;
  /** The one file that is written, relative to the project's root. */
  readonly file: string;
}

/**
 * Writes the sdk as one plain module with nothing left outside but Node's built-ins, because it is loaded into other
 * people's programs. Its bytes are a binding of each run, so they depend on the sources alone: no minifying, no source
 * map, no path of the machine that built it.
 */
export function sdkBundle({ entry, file }: SdkBundleOptions): Plugin {
  return {
    name: 'recovery-lab:sdk-bundle',
    apply: 'build',
    // After writeBundle the output folder has been emptied and filled; nothing removes this file any more.
    async writeBundle() {
      const { metafile } = await build({
        entryPoints: [entry],
        outfile: file,
        bundle: true,
        // Loaded at every start of a relay's process; names stay, for stacks that a person can read.
        minifySyntax: true,
        minifyWhitespace: true,
        format: 'esm',
        platform: 'node',
        target: 'node22',
        legalComments: 'inline',
        metafile: true,
        logLevel: 'warning',
      });
      const output = metafile.outputs[file];
      const outside = (output?.imports ?? []).filter((one) => one.external && !isBuiltin(one.path));
      if (outside.length > 0) {
        this.error(`${file} must stand alone, but imports ${outside.map((one) => one.path).join(', ')}`);
      }
      if (output === undefined || output.exports.length === 0) {
        this.error(`${file} must have named exports; ${entry} exports nothing`);
      }
    },
  };
}
