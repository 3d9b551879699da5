import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { extractFile } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StandInDesktop } from '../support/stand-in-desktop.ts';
import { TemporaryFolder } from '../support/temporary-folder.ts';
import { clientOf } from './desktop-lab.ts';
import { openArchive, packApp, root, type PackedApp } from './packed-app.ts';

const programs = ['sdk.mjs', 'writer-thread.js', 'services/order-service.js', 'services/audit-log.js'].concat(
  'services/inventory.js',
);
const native = `${process.platform}-${process.arch}`;
const place = new TemporaryFolder();
let app: PackedApp;
let archive: string;

beforeAll(() => {
  app = packApp(place.path);
  archive = openArchive(app, join(place.path, 'opened'));
}, 120_000);
afterAll(() => place[Symbol.dispose]());

const paths = (): string[] => [...app.files.keys()].sort();
const beside = (): string[] => paths().filter((path) => app.files.get(path)?.unpacked);
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();

describe('the packed app', () => {
  it('holds all that was built for it, without source maps, and the relays of the scenarios', () => {
    const own = paths().filter((path) => !path.startsWith('node_modules/'));
    const built = ['out/main', 'out/preload', 'out/renderer', 'scenarios/relays'].flatMap((folder) =>
      filesBelow(join(root, folder)).map((path) => `${folder}/${path}`),
    );
    expect(own).toEqual(['package.json', ...built.filter((path) => !path.endsWith('.map'))].sort());
    const manifest = JSON.parse(extractFile(join(app.resources, 'app.asar'), 'package.json').toString()) as object;
    expect(manifest).toMatchObject({ main: 'out/main/desktop.js', desktopName: 'relay-recovery-lab.desktop' });
    expect(manifest).not.toHaveProperty('scripts');
    expect(manifest).not.toHaveProperty('devDependencies');
  });

  it('holds of the packages only those that are needed at run time, and of them no source, test, map or other system', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: boolean }>;
    };
    const packed = paths().filter((path) => path.startsWith('node_modules/'));
    // The packer lays packages out in its own way, so names count, not places.
    const nameOf = (path: string): string => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path;
    const needed = new Set(Object.entries(packages).flatMap(([path, { dev }]) => (dev === true ? [] : nameOf(path))));
    expect([...new Set(packed.map(nameOf))].filter((name) => !needed.has(name))).toEqual([]);
    expect(packed.filter((path) => /\.(?:map|[mc]?ts|md|cc?|h|cpp|gyp|gypi)$|\/tests?\//.test(path))).toEqual([]);
    expect(packed.filter((path) => path.endsWith('.node') || /\/bin\/esbuild$/.test(path))).toEqual([
      `node_modules/@esbuild/${native}/bin/esbuild`,
      `node_modules/better-sqlite3/prebuilds/${native}.node`,
    ]);
  });

  it('has beside its archive what is started or read by another process, and no more', () => {
    expect(filesBelow(join(app.resources, 'app.asar.unpacked'))).toEqual(beside());
    const own = beside().filter((path) => !path.startsWith('node_modules/better-sqlite3/'));
    const relays = filesBelow(join(root, 'scenarios/relays')).map((path) => `scenarios/relays/${path}`);
    const compiler = ['bin/esbuild', 'package.json'].map((path) => `node_modules/@esbuild/${native}/${path}`);
    expect(own).toEqual([...compiler, ...programs.map((name) => `out/main/${name}`), ...relays].sort());
    accessSync(join(app.resources, 'app.asar.unpacked', compiler[0] ?? ''), constants.X_OK);
    // Not Electron's own welcome page; the profile is the Debian package's.
    expect(readdirSync(app.resources).sort()).toEqual(['app.asar', 'app.asar.unpacked', 'apparmor-profile']);
  });

  it('finds every import inside the package', async () => {
    const inside = ['desktop.js', 'recovery-lab.js'].map((name) => join(archive, 'out/main', name));
    const outside = programs.map((name) => join(`${archive}.unpacked`, 'out/main', name));
    const { errors } = await build({
      entryPoints: [...inside, ...outside],
      outdir: join(place.path, 'nowhere'),
      ...{ bundle: true, write: false, platform: 'node', format: 'esm', logLevel: 'silent' },
      external: ['electron', '*.node', '@dbos-inc/dbos-sdk', 'agentworks'],
    });
    expect(errors).toEqual([]);
  });

  it('is a lab: its window opens, and a scenario kills a process and recovers its run', async () => {
    const dataDir = join(place.path, 'data');
    await using host = StandInDesktop.start(archive, { dataDir });
    const page = await host.window();
    expect(await page.title()).toContain('Relay Recovery Lab');
    const client = await clientOf(dataDir);
    expect(await client.call('scenario/run', { name: 'crash-during-safe' })).toMatchObject({ ok: true });
    await client.close();
  }, 60_000);

  it('has its fuses set', async () => {
    const fuses = await getCurrentFuseWire(join(app.folder, 'relay-recovery-lab'));
    const isOn = (fuse: FuseV1Options): boolean => fuses[fuse] === FuseState.ENABLE;
    expect(
      Object.fromEntries(
        Object.entries(FuseV1Options).flatMap(([name, fuse]) => (typeof fuse === 'number' ? [[name, isOn(fuse)]] : [])),
      ),
    ).toEqual({
      RunAsNode: true,
      EnableCookieEncryption: true,
      EnableNodeOptionsEnvironmentVariable: false,
      EnableNodeCliInspectArguments: false,
      EnableEmbeddedAsarIntegrityValidation: true,
      OnlyLoadAppFromAsar: true,
      LoadBrowserProcessSpecificV8Snapshot: false,
      GrantFileProtocolExtraPrivileges: false,
      WasmTrapHandlers: true,
    });
  });

  it('is known to the desktop: by an entry, icons, a maintainer and a page', () => {
    const entry = readFileSync(app.desktopEntry, 'utf8');
    expect(entry).toContain('Name=Relay Recovery Lab\n');
    expect(entry).toContain('Exec="/opt/Relay Recovery Lab/relay-recovery-lab" %U\n');
    expect(entry).toContain('Icon=relay-recovery-lab\n');
    expect(entry).toContain('StartupWMClass=relay-recovery-lab\n');
    expect(entry).toContain('Categories=Development;\n');
    const icons = app.debian.flatMap(
      (word) => /^(.*\.png)=.*\/(\d+)x\2\/apps\/relay-recovery-lab\.png$/.exec(word)?.slice(1, 3) ?? [],
    );
    expect(icons.filter((_, at) => at % 2 === 1)).toEqual(['16', '32', '48', '64', '128', '256', '512']);
    for (const [at, width] of icons.entries()) {
      // A PNG says its width in the bytes from 16 on.
      if (at % 2 === 1) expect(readFileSync(icons[at - 1] ?? '').readUInt32BE(16)).toBe(Number(width));
    }
    expect(app.debian[app.debian.indexOf('--maintainer') + 1]).toMatch(/^.+ <.+@.+\.example>$/);
    expect(app.debian[app.debian.indexOf('--url') + 1]).toMatch(/^https:/);
  });

  it('has a size that is printed here', () => {
    const sum = (all: readonly string[]): number =>
      all.reduce((bytes, path) => bytes + (app.files.get(path)?.size ?? 0), 0);
    const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
    const inside = statSync(join(app.resources, 'app.asar')).size;
    console.log(`packed: ${megabytes(inside)} in the archive, ${megabytes(sum(beside()))} beside it, without Electron`);
    expect(inside + sum(beside())).toBeLessThan(30e6);
  });
});

it('what the packer is told to take for a Mac is there', async () => {
  const { default: config } = await import('../../build/package/electron-builder.ts');
  const { icon, entitlements, entitlementsInherit } = config.mac ?? {};
  for (const path of [icon, entitlements, entitlementsInherit]) expect(existsSync(join(root, String(path)))).toBe(true);
  expect(
    readFileSync(join(root, String(icon)))
      .subarray(0, 4)
      .toString(),
  ).toBe('icns');
});
