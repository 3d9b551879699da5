import { build } from 'esbuild';
import type { Plugin } from 'vite';

export interface StandaloneProgramsOptions {
  /** Name under `folder`, without the extension → source file. Paths are relative to the project's root. */
  readonly programs: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Packages that stay outside: those with a native part. */
  readonly outside: readonly string[];
}

/**
 * Writes each program that is started by its path (a thread, a service) as one file. In the packaged app such files
 * stand beside the archive, where nothing that is inside it can be imported.
 */
export function standalonePrograms({ programs, folder, outside }: StandaloneProgramsOptions): Plugin {
  return {
    name: 'recovery-lab:standalone-programs',
    apply: 'build',
    // After writeBundle the output folder has been emptied and filled; nothing removes these files any more.
    async writeBundle() {
      await build({
        entryPoints: { ...programs },
        outdir: folder,
        bundle: true,
        external: [...outside],
        format: 'esm',
        platform: 'node',
        target: 'node24',
        // Names and lines stay, for stacks that a person can read.
        minifySyntax: true,
        minifyWhitespace: true,
        sourcemap: true,
        sourcesContent: false,
        logLevel: 'warning',
      });
    },
  };
}
