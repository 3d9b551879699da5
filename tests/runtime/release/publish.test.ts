import { execFileSync } from 'node:child_process';
import { linkSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Releases as EngineReleases } from '../../../runtime/engine/ports.ts';
import { openReleases, type Releases } from '../../../runtime/release/index.ts';
import { RelayFolder } from '../../support/relay-folder.ts';
import { TemporaryFolder } from '../../support/temporary-folder.ts';

const entry = `
import { DBOS } from '@dbos-inc/dbos-sdk';
import { agent } from 'agentworks';
import { total } from './lib/total.ts';
class Work { @DBOS.step() static async add(n: number) { return total([n, 1]); } }
export const run = DBOS.registerWorkflow(async (input: { n: number }) => [await agent({}), await Work.add(input.n)]);
`;

function withHelper(relay: RelayFolder): RelayFolder {
  relay.write('lib/total.ts', 'export const total = (all: number[]) => all.reduce((a, b) => a + b, 0);\n');
  return relay;
}

function open(data: TemporaryFolder): Releases {
  const releases = openReleases({ folder: join(data.path, 'releases') });
  // What the engine asks for is what is given.
  return releases satisfies EngineReleases;
}

describe('publish', () => {
  it('freezes sources, bundle, map and listing under their hash, for the owner only', async () => {
    using data = new TemporaryFolder();
    using relay = withHelper(new RelayFolder(entry));
    const release = await open(data).publish(relay.path);
    expect(release.hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(release.folder.endsWith(release.hash.slice('sha256:'.length))).toBe(true);
    const files = readdirSync(release.folder, { recursive: true, withFileTypes: true });
    const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    expect(paths.map((path) => path.slice(release.folder.length + 1)).sort()).toEqual([
      'bundle/entry.mjs',
      'bundle/entry.mjs.map',
      'release.json',
      'sources/lib/total.ts',
      'sources/relay.json',
      'sources/relay.ts',
    ]);
    for (const path of paths) expect(statSync(path).mode & 0o777).toBe(0o400);
    expect(statSync(release.folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(data.path, 'releases'))).toHaveLength(1);
  });

  it('leaves the DBOS SDK and agentworks outside the bundle and nothing else', async () => {
    using data = new TemporaryFolder();
    using relay = withHelper(new RelayFolder(entry));
    const { bundle } = await open(data).publish(relay.path);
    const imported = [...readFileSync(bundle, 'utf8').matchAll(/from "([^"]+)"/g)].map((found) => found[1]);
    expect(imported).toEqual(['@dbos-inc/dbos-sdk', 'agentworks']);
  });

  it('gives the same content the same hash, wherever it lies and whenever it was written', async () => {
    using data = new TemporaryFolder();
    using one = withHelper(new RelayFolder(entry));
    // The other order of writing, another folder, another time.
    using other = new RelayFolder('');
    withHelper(other);
    other.write('relay.ts', entry);
    utimesSync(join(other.path, 'relay.ts'), 1, 1);
    const releases = open(data);
    const { hash } = await releases.publish(one.path);
    expect((await releases.publish(other.path)).hash).toBe(hash);
    other.write('lib/total.ts', 'export const total = (all: number[]) => all.length;\n');
    expect((await releases.publish(other.path)).hash).not.toBe(hash);
  });

  it('changes the hash when a file changes that the entry does not import', async () => {
    using data = new TemporaryFolder();
    using relay = withHelper(new RelayFolder(entry));
    const releases = open(data);
    const { hash } = await releases.publish(relay.path);
    relay.write('fixtures/extract.json', '{"turns":[{"text":"x"}]}');
    expect((await releases.publish(relay.path)).hash).not.toBe(hash);
  });

  it('leaves out node_modules and names with a leading dot, and copies hard links', async () => {
    using data = new TemporaryFolder();
    using relay = new RelayFolder('export const run = () => 1;');
    relay.write('.env', 'SECRET=1');
    relay.write('.git/config', '');
    relay.write('node_modules/unused/index.js', '');
    linkSync(join(relay.path, 'relay.ts'), join(relay.path, 'linked.ts'));
    const { folder } = await open(data).publish(relay.path);
    expect(readdirSync(join(folder, 'sources')).sort()).toEqual(['linked.ts', 'relay.json', 'relay.ts']);
    expect(statSync(join(folder, 'sources/linked.ts')).nlink).toBe(1);
  });

  it("compiles in what comes from the relay's own node_modules, ES module or CommonJS", async () => {
    using data = new TemporaryFolder();
    using relay = new RelayFolder(`
      import { createRequire } from 'node:module';
      import { plain } from 'plain';
      import old from 'old';
      const require = createRequire(import.meta.url);
      export const run = () => [plain, old.separator, typeof require];
    `);
    relay.write('node_modules/plain/package.json', '{"name":"plain","type":"module","exports":"./main.js"}');
    relay.write('node_modules/plain/main.js', 'export const plain = 5;');
    relay.write('node_modules/old/index.js', `module.exports = { separator: require('path').sep };`);
    const { bundle } = await open(data).publish(relay.path);
    const program = `import { run } from ${JSON.stringify(bundle)}; console.log(JSON.stringify(run()));`;
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    expect(JSON.parse(said)).toEqual([5, '/', 'function']);
  });

  it('names the frozen source and its line in a stack trace', async () => {
    using data = new TemporaryFolder();
    using relay = new RelayFolder(`import { fail } from './lib/fail.ts';\nexport const run = () => fail();`);
    relay.write(
      'lib/fail.ts',
      `export interface Unused { a: 1 }\n\nexport function fail() {\n  throw new Error('x');\n}\n`,
    );
    const { bundle, folder } = await open(data).publish(relay.path);
    const program = `import { run } from ${JSON.stringify(bundle)}; try { run(); } catch (error) { console.log(error.stack); }`;
    const flags = ['--enable-source-maps', '--input-type=module', '-e', program];
    expect(execFileSync(process.execPath, flags, { encoding: 'utf8' })).toContain(`${folder}/sources/lib/fail.ts:4:`);
  });

  it('executes nothing of the relay', async () => {
    using data = new TemporaryFolder();
    const mark = join(data.path, 'executed');
    using relay = new RelayFolder(`
      import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(mark)}, '');
      export const run = () => 1;
    `);
    await open(data).publish(relay.path);
    expect(() => statSync(mark)).toThrow('ENOENT');
  });

  it('keeps no compiler process alive', () => {
    using data = new TemporaryFolder();
    using relay = new RelayFolder('export const run = () => 1;');
    const program = `
      import { openReleases } from ${JSON.stringify(join(import.meta.dirname, '../../../runtime/release/index.ts'))};
      import { execFileSync } from 'node:child_process';
      const releases = openReleases({ folder: ${JSON.stringify(data.path)} });
      await Promise.all([releases.publish(${JSON.stringify(relay.path)}), releases.publish(${JSON.stringify(relay.path)})]);
      const lines = execFileSync('ps', ['-A', '-o', 'ppid=,comm='], { encoding: 'utf8' }).split('\\n');
      const own = lines.map((line) => line.trim().split(/\\s+/)).filter(([parent]) => Number(parent) === process.pid);
      console.log(JSON.stringify(own.map(([, name]) => name).filter((name) => name !== 'ps')));
    `;
    const file = join(relay.path, 'publisher.mts');
    writeFileSync(file, program);
    expect(execFileSync(process.execPath, [file], { encoding: 'utf8', timeout: 20_000 })).toBe('[]\n');
  });

  it('lets two hosts publish the same relay at once', async () => {
    using data = new TemporaryFolder();
    using relay = withHelper(new RelayFolder(entry));
    const hashes = await Promise.all([1, 2, 3].map(async () => (await open(data).publish(relay.path)).hash));
    expect(new Set(hashes).size).toBe(1);
    expect(readdirSync(join(data.path, 'releases'))).toHaveLength(1);
  });
});
