import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extractAll, getRawHeader, uncacheAll } from '@electron/asar';

type Folder = ReturnType<typeof getRawHeader>['header'];
type Entry = Folder['files'][string];

/** Begins the fuses in Electron's program; their version, their number and their settings follow. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

export const root = fileURLToPath(new URL('../../', import.meta.url));

interface PackedFile {
  readonly size: number;
  /** Lies beside the archive. */
  readonly unpacked: boolean;
}

export interface PackedApp {
  /** The folder that a person would get, with the program in it. */
  readonly folder: string;
  /** Holds `app.asar` and `app.asar.unpacked`. */
  readonly resources: string;
  /** What the archive lists, by path. */
  readonly files: ReadonlyMap<string, PackedFile>;
  /** The desktop entry that a Debian package would install. */
  readonly desktopEntry: string;
  /** All arguments of the program that makes the Debian package. */
  readonly debian: readonly string[];
}

/**
 * Packs the built app with the real packer, without anything from outside: the program of Electron is a file that has no
 * more than its fuses, and what makes the Debian package only keeps what it is given.
 */
export function packApp(folder: string): PackedApp {
  const electron = join(folder, 'electron');
  makeElectron(electron);
  const debian = join(folder, 'debian');
  mkdirSync(debian);
  const fpm = join(folder, 'fpm');
  writeFileSync(
    fpm,
    `#!/bin/sh
printf '%s\\n' "$@" > '${debian}/arguments'
for word; do case "$word" in *.desktop=/*) cp "\${word%%=*}" '${debian}/entry' ;; *.deb) : > "$word" ;; esac; done
`,
    { mode: 0o755 },
  );
  const packer = join(root, 'node_modules/electron-builder/cli.js');
  const output = join(folder, 'dist');
  execFileSync(
    process.execPath,
    [
      ...[packer, '--linux', 'deb', '--config', 'build/package/electron-builder.ts'],
      `--config.directories.output=${output}`,
    ],
    {
      cwd: root,
      env: { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: electron, CUSTOM_FPM_PATH: fpm },
      encoding: 'utf8',
      stdio: 'pipe',
    },
  );
  const app = readdirSync(output).find((name) => /^linux.*-unpacked$/.test(name)) ?? '';
  const resources = join(output, app, 'resources');
  return {
    folder: join(output, app),
    resources,
    files: filesOf(join(resources, 'app.asar')),
    desktopEntry: join(debian, 'entry'),
    debian: readFileSync(join(debian, 'arguments'), 'utf8').split('\n'),
  };
}

/** As it comes from Electron's own build: all fuses that there are, at their first settings. */
function makeElectron(folder: string): void {
  mkdirSync(join(folder, 'locales'), { recursive: true });
  mkdirSync(join(folder, 'resources'));
  const wire = '100110001';
  const fuses = Buffer.concat([Buffer.from(sentinel), Buffer.from([1, wire.length]), Buffer.from(wire)]);
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.from('\x7fELF'), fuses, Buffer.alloc(64)]), {
    mode: 0o755,
  });
  for (const file of ['locales/en-US.pak', 'locales/de.pak', 'resources/default_app.asar', 'version', 'LICENSE']) {
    writeFileSync(join(folder, file), '');
  }
}

function filesOf(archive: string): Map<string, PackedFile> {
  const files = new Map<string, PackedFile>();
  const visit = (entry: Entry, path: string): void => {
    if ('files' in entry) {
      for (const [name, inner] of Object.entries(entry.files)) visit(inner, path === '' ? name : `${path}/${name}`);
    } else if ('size' in entry) files.set(path, { size: entry.size, unpacked: entry.unpacked });
    else throw new Error(`${path} is a link`);
  };
  visit(getRawHeader(archive).header, '');
  uncacheAll();
  return files;
}

/**
 * The packed app as a plain Node sees it where Electron would see its archive: a folder of that name, in which nothing can be
 * started, beside what was unpacked. Gives that folder's path.
 */
export function openArchive({ resources, files }: PackedApp, place: string): string {
  const archive = join(place, 'app.asar');
  cpSync(join(resources, 'app.asar.unpacked'), join(place, 'app.asar.unpacked'), { recursive: true });
  extractAll(join(resources, 'app.asar'), archive);
  uncacheAll();
  for (const [path, { unpacked }] of files) {
    // Electron reads a native part from beside the archive by itself, and hands no program of the archive to the system.
    if (!unpacked || path.includes('better-sqlite3')) continue;
    if (path.startsWith('node_modules/')) chmodSync(join(archive, path), 0o444);
    else rmSync(join(archive, path));
  }
  return archive;
}
