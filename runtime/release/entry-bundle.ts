import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { BuildOptions, BuildResult, Message, Plugin } from 'esbuild';
import { describeMessage, withCompiler } from './compiler.ts';
import { sha256 } from './digest.ts';
import { publishFailed } from './release-error.ts';

export interface EntryBundle {
  /** One ES module with everything in it but Node's built-ins, `@dbos-inc/dbos-sdk` and `agentworks`. */
  readonly code: Uint8Array;
  /** Its source map; sources are relative to the bundle's place in the release. */
  readonly map: Uint8Array;
  /** Files of the relay's `node_modules` that went into it: path in the relay folder → sha256. */
  readonly packages: ReadonlyMap<string, string>;
}

/** What a relay's program finds in its process; everything else is compiled in. */
const provided = ['@dbos-inc/dbos-sdk', 'agentworks'];

/**
 * Compiles the entry with all it imports, executing nothing. The bytes that are compiled are those in `files`, which
 * are also those that are frozen. `folder` must be a real path. Throws `publish-failed` naming file, line and column.
 */
export async function bundleEntry(
  folder: string,
  entry: string,
  files: ReadonlyMap<string, Buffer>,
): Promise<EntryBundle> {
  const packages = new Map<string, string>();
  const result = await withCompiler(async ({ build }) => {
    try {
      return await build({ ...optionsFor(folder, entry, files), plugins: [readOnlyFrom(folder, files, packages)] });
    } catch (error) {
      throw compileError(entry, error);
    }
  });
  checkExports(entry, result);
  const [map, code] = ['.map', '.mjs'].map(
    (end) => result.outputFiles?.find((file) => file.path.endsWith(end))?.contents,
  );
  if (map === undefined || code === undefined) throw new Error('esbuild gave no bundle or no source map');
  return { code: withRequire(code, result), map, packages };
}

function optionsFor(
  folder: string,
  entry: string,
  files: ReadonlyMap<string, Buffer>,
): BuildOptions & { metafile: true } {
  return {
    absWorkingDir: folder,
    entryPoints: [join(folder, entry)],
    outfile: join(folder, 'entry.mjs'),
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    external: provided,
    sourcemap: 'linked',
    // The bundle lies in `bundle/`, beside `sources/`.
    sourceRoot: '../sources/',
    sourcesContent: false,
    // A step may take its name from its function, so a function that is renamed in the bundle must keep its own.
    keepNames: true,
    charset: 'utf8',
    legalComments: 'inline',
    metafile: true,
    logLevel: 'silent',
    // Given in full, so that no tsconfig.json above the relay folder has a say.
    ...(files.has('tsconfig.json')
      ? { tsconfig: join(folder, 'tsconfig.json') }
      : { tsconfigRaw: { compilerOptions: { experimentalDecorators: true } } }),
  };
}

/** Feeds the compiler from the frozen files and the relay's own `node_modules`, and from nowhere else. */
function readOnlyFrom(folder: string, files: ReadonlyMap<string, Buffer>, packages: Map<string, string>): Plugin {
  return {
    name: 'relay-folder',
    setup(build) {
      build.onLoad({ filter: /.*/, namespace: 'file' }, async ({ path: absolute }) => {
        const path = relative(folder, absolute).split(sep).join('/');
        const frozen = files.get(path);
        if (frozen !== undefined) return { contents: frozen, loader: 'default', resolveDir: dirname(absolute) };
        if (path.startsWith('../')) {
          return { errors: [{ text: `${absolute} lies outside the relay folder, so no release can hold it` }] };
        }
        if (!path.split('/').includes('node_modules')) {
          return {
            errors: [{ text: `${path} begins with a dot, or lies in a folder that does: it is left out of releases` }],
          };
        }
        const contents = await readFile(absolute);
        packages.set(path, sha256(contents));
        return { contents, loader: 'default', resolveDir: dirname(absolute) };
      });
    },
  };
}

function checkExports(entry: string, result: BuildResult<{ metafile: true }>): void {
  const output = Object.values(result.metafile.outputs).find((one) => one.entryPoint !== undefined);
  const names = output?.exports ?? [];
  if (names.includes('run')) return;
  const found = names.length === 0 ? 'nothing' : names.join(', ');
  throw publishFailed(
    `${entry} does not export run (it exports ${found})`,
    'Export a workflow registered with DBOS.registerWorkflow, or a function run(input, ctx), under the name run.',
  );
}

/**
 * CommonJS packages ask for built-ins by `require`, which an ES module has not. The line is added only for them; the
 * compiler renames a `require` of the program's own. It has no line end, so that the source map stays true.
 */
function withRequire(code: Uint8Array, result: BuildResult<{ metafile: true }>): Uint8Array {
  const isNeeded = Object.values(result.metafile.inputs).some((input) => input.format === 'cjs');
  if (!isNeeded) return code;
  const line = `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`;
  return Buffer.concat([Buffer.from(line), code]);
}

function compileError(entry: string, error: unknown): Error {
  const messages = (error as { errors?: Message[] }).errors;
  if (messages === undefined) return error instanceof Error ? error : new Error(String(error));
  const shown = messages.slice(0, 5).map(describeMessage);
  const more = messages.length > shown.length ? [`(and ${messages.length - shown.length} more)`] : [];
  return publishFailed(
    `${entry} does not compile: ${[...shown, ...more].join('\n')}`,
    'Correct the line and start again.',
    {
      errors: shown,
    },
  );
}
