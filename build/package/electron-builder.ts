import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Arch, type Configuration } from 'electron-builder';
import { ensureCompilerProgram } from './compiler-program.ts';

/** Folder of an Electron that is there already, under the name that its own package knows; else it is fetched. */
const electronThere = process.env['ELECTRON_OVERRIDE_DIST_PATH'] || null;

/** Of the packages that are needed at run time: what no program here reads. */
const unneeded = [
  '**/*.map',
  // Types, sources, pages for people; licences stay.
  'node_modules/**/*.{ts,mts,cts,md,markdown,flow,gyp,gypi}',
  'node_modules/**/{test,tests,example,examples,docs,benchmark,benchmarks}/**',
  // The same code once more, for programs that are no modules.
  'node_modules/{hono,@modelcontextprotocol/sdk}/dist/cjs/**',
  'node_modules/zod/**/*.cjs',
  // What compiles SQLite; its prebuilt binary is there, for this system and no other.
  'node_modules/node-addon-api/**',
  'node_modules/better-sqlite3/{deps,src}/**',
  'node_modules/better-sqlite3/prebuilds/!(${platform}-${arch}).node',
  // The same holds for the compiler, whose installer leaves a second copy of it.
  'node_modules/esbuild/{bin,install.js}',
  'node_modules/esbuild/bin/**',
  'node_modules/@esbuild/!(${platform}-${arch})/**',
];

/** What is started as a program, or read by one that is: nothing outside of Electron's own main process sees an archive. */
const besideTheArchive = [
  'out/main/sdk.mjs',
  'out/main/writer-thread.js',
  'out/main/services/**',
  'scenarios/relays/**',
  'node_modules/better-sqlite3/**',
  'node_modules/@esbuild/**',
];

/** An Electron that is there already is one of this machine's kind. */
const macArchitectures: ('arm64' | 'x64')[] =
  electronThere === null ? ['arm64', 'x64'] : [process.arch === 'arm64' ? 'arm64' : 'x64'];

const config: Configuration = {
  appId: 'lab.relay-recovery.desktop',
  productName: 'Relay Recovery Lab',
  copyright: 'MIT licence',
  directories: { output: 'dist', buildResources: 'build/package' },
  files: [
    'package.json',
    'out/{main,preload,renderer}/**',
    'scenarios/relays/**',
    ...unneeded.map((pattern) => `!${pattern}`),
  ],
  asar: { smartUnpack: false },
  asarUnpack: besideTheArchive,
  electronDist: electronThere,
  beforePack: ({ packager, electronPlatformName, arch }) =>
    ensureCompilerProgram(packager.projectDir, electronPlatformName, Arch[arch]),
  async afterExtract({ appOutDir, electronPlatformName }) {
    const resources = electronPlatformName === 'darwin' ? 'Electron.app/Contents/Resources' : 'resources';
    // Electron's own welcome page; it is left where Electron was there already.
    await rm(join(appOutDir, resources, 'default_app.asar'), { force: true });
  },
  // Native parts come prebuilt and fit every Node with this interface: nothing is compiled.
  npmRebuild: false,
  // No update server: nothing is published, and no file for an updater is written.
  publish: null,
  electronLanguages: ['en-US'],
  electronFuses: {
    // Relays, services and the writer thread's probes run under the app's own binary, as Node.
    runAsNode: true,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    // Checked where the system gives a place for the checksum: macOS and Windows.
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
    // A build without a certificate starts on Apple silicon only with a signature made after the fuses were set.
    resetAdHocDarwinSignature: true,
  },
  extraMetadata: { desktopName: 'relay-recovery-lab.desktop' },
  artifactName: 'relay-recovery-lab-${version}-${os}-${arch}.${ext}',
  mac: {
    target: ['dmg', 'zip'].map((target) => ({ target, arch: macArchitectures })),
    category: 'public.app-category.developer-tools',
    icon: 'build/package/icon.icns',
    hardenedRuntime: true,
    gatekeeperAssess: false,
    entitlements: 'build/package/entitlements.mac.plist',
    entitlementsInherit: 'build/package/entitlements.mac.plist',
    notarize: false,
  },
  linux: {
    // For the architecture of the machine that packs.
    target: ['AppImage', 'deb', 'tar.gz'],
    category: 'Development',
    icon: 'build/package/icons',
    executableName: 'relay-recovery-lab',
    syncDesktopName: true,
    synopsis: 'Rehearse crash recovery of durable programs',
    desktop: { entry: { Keywords: 'durable;recovery;workflow;crash;' } },
  },
  deb: { packageCategory: 'devel', priority: 'optional' },
};

export default config;
