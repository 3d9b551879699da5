import { once } from 'node:events';
import { chmodSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LabError } from '../../../runtime/core/index.ts';
import { openReleases } from '../../../runtime/release/index.ts';
import { refusalOf } from '../../support/refusal.ts';
import { RelayFolder } from '../../support/relay-folder.ts';
import { TemporaryFolder } from '../../support/temporary-folder.ts';

const usual = 'export const run = () => 1;';

/** What publishing a folder is refused with; nothing may be left behind. */
async function refusal(folder: string): Promise<LabError> {
  using data = new TemporaryFolder();
  const error = await refusalOf(openReleases({ folder: data.path }).publish(folder));
  expect(readdirSync(data.path)).toEqual([]);
  expect(error.next).not.toBe('');
  return error;
}

describe('publish refuses a folder', () => {
  it('that does not exist', async () => {
    const error = await refusal('/nowhere/at-all');
    expect(error.code).toBe('publish-failed');
    expect(error.message).toBe('the relay folder /nowhere/at-all does not exist');
  });

  it('that is a file', async () => {
    using relay = new RelayFolder(usual);
    const error = await refusal(join(relay.path, 'relay.json'));
    expect(error.message).toContain('is a file; expected a folder that holds a relay.json');
  });

  it('without a manifest', async () => {
    using data = new TemporaryFolder();
    const error = await refusal(data.path);
    expect(error.message).toBe(`${data.path} has no relay.json, so it is no relay`);
  });

  it('that holds a symbolic link, by its name', async () => {
    using relay = new RelayFolder(usual);
    symlinkSync('/etc/hostname', join(relay.path, 'host.txt'));
    const error = await refusal(relay.path);
    expect(error.message).toBe('host.txt is a symbolic link; a release freezes regular files only');
  });

  it('whose entry leads out of it by a link', async () => {
    using outside = new RelayFolder(usual);
    using relay = new RelayFolder(usual, { entry: 'lib/relay.ts' });
    symlinkSync(outside.path, join(relay.path, 'lib'));
    expect((await refusal(relay.path)).message).toContain('lib is a symbolic link');
  });

  it('that holds what is no file, by its name', async () => {
    using relay = new RelayFolder(usual);
    const server = createServer().listen(join(relay.path, 'socket'));
    await once(server, 'listening');
    expect((await refusal(relay.path)).message).toContain('socket is no regular file');
    server.close();
  });

  it('that is over the bounds', async () => {
    using large = new RelayFolder(usual);
    writeFileSync(join(large.path, 'data.bin'), '');
    truncateSync(join(large.path, 'data.bin'), 4 * 1024 * 1024 + 1);
    expect((await refusal(large.path)).message).toBe(
      'data.bin has 4194305 bytes; a file of a release may have 4194304',
    );
    using many = new RelayFolder(usual);
    for (let n = 0; n < 2000; n += 1) writeFileSync(join(many.path, `f${n}`), '');
    expect((await refusal(many.path)).message).toContain('holds more than 2000 files');
  });
});

describe('publish refuses a manifest', () => {
  it('that is not JSON, with line and column', async () => {
    using relay = new RelayFolder(usual);
    relay.write('relay.json', '{\n  "kind": "relay",\n  "name" "x"\n}');
    const error = await refusal(relay.path);
    expect(error.code).toBe('publish-failed');
    expect(error.message).toContain('relay.json is not JSON: relay.json:3:10:');
    expect(error.message).toContain('"name" "x"');
  });

  it('that ends too early, with line and column', async () => {
    using relay = new RelayFolder(usual);
    relay.write('relay.json', '{"kind": "relay",');
    expect((await refusal(relay.path)).message).toContain('relay.json:1:18:');
  });

  it.each([
    ['an unknown key', { entri: 'x' }, 'the key "entri" is unknown'],
    ['an unknown key inside', { mcp: { stock: { command: 'x', argz: [] } } }, 'the key "mcp.stock.argz" is unknown'],
    ['a wrong kind', { kind: 'flow' }, '"kind" is "flow": expected "relay"'],
    ['a wrong runtime', { relay_runtime: 'ruby' }, '"relay_runtime" is "ruby": expected one of "node"|"python"'],
    ['a wrong durability', { relay_durability: true }, '"relay_durability" is true: expected one of "dbos"|"none"'],
    ['a missing name', { name: undefined }, '"name" is missing: expected string'],
    ['a bad name', { name: '../x' }, '"name" is "../x": expected 1 to 64 letters'],
    ['an entry that climbs out', { entry: '../relay.ts' }, '"entry" is "../relay.ts": expected a relative path inside'],
    ['an absolute entry', { entry: '/etc/passwd' }, '"entry" is "/etc/passwd": expected a relative path inside'],
    ['variables that are no texts', { variables: { a: 1 } }, '"variables.a" is 1: expected string'],
    ['a missing entry', { entry: 'gone.ts' }, '"entry" is "gone.ts", but there is no such file'],
    ['a hidden entry', { entry: '.hidden/relay.ts' }, '"entry" is ".hidden/relay.ts", but there is no such file'],
  ])('with %s, naming key, value and what was expected', async (_, manifest, sentence) => {
    using relay = new RelayFolder(usual, manifest);
    relay.write('.hidden/relay.ts', usual);
    const error = await refusal(relay.path);
    expect(error.code).toBe('publish-failed');
    expect(error.message).toContain('relay.json');
    expect(error.message).toContain(sentence);
  });

  it('of a Python relay as not supported', async () => {
    using relay = new RelayFolder(usual, { relay_runtime: 'python' });
    const error = await refusal(relay.path);
    expect(error.code).toBe('not-supported');
    expect(error.message).toContain('"relay_runtime" is "python"; this version runs node relays only');
  });
});

describe('publish refuses an entry', () => {
  it('that does not parse, with file, line, column and the line itself', async () => {
    using relay = new RelayFolder('export const run = () => {\n  const a = ;\n};');
    const error = await refusal(relay.path);
    expect(error.code).toBe('publish-failed');
    expect(error.message).toContain('relay.ts:2:13: Unexpected ";"');
    expect(error.message).toContain('2 | const a = ;');
  });

  it('whose helper does not parse, naming the helper', async () => {
    using relay = new RelayFolder(`import './lib/broken.ts';\n${usual}`);
    relay.write('lib/broken.ts', 'let 1;');
    expect((await refusal(relay.path)).message).toContain('lib/broken.ts:1:5:');
  });

  it('that imports what is not there, with the line of the import', async () => {
    using relay = new RelayFolder(`import x from 'left-pad-of-nowhere';\nexport const run = () => x;`);
    expect((await refusal(relay.path)).message).toContain('relay.ts:1:15: Could not resolve "left-pad-of-nowhere"');
  });

  it('that imports a file outside its folder', async () => {
    using outside = new RelayFolder(usual);
    using relay = new RelayFolder('');
    relay.write('relay.ts', `export { run } from '${outside.path}/relay.ts';`);
    const { message } = await refusal(relay.path);
    expect(message).toContain('relay.ts:1:21:');
    expect(message).toContain('lies outside the relay folder');
  });

  it('that imports a package from a node_modules above its folder', async () => {
    using outer = new RelayFolder(usual);
    outer.write('node_modules/above/index.js', 'export const x = 1;');
    outer.write(
      'inner/relay.json',
      JSON.stringify({ kind: 'relay', relay_runtime: 'node', relay_durability: 'dbos', name: 'x', entry: 'relay.ts' }),
    );
    outer.write('inner/relay.ts', `import { x } from 'above';\nexport const run = () => x;`);
    expect((await refusal(join(outer.path, 'inner'))).message).toContain('lies outside the relay folder');
  });

  it('that would compile in a file which no release holds', async () => {
    using relay = new RelayFolder(`import secret from './.secret.json';\nexport const run = () => secret;`);
    relay.write('.secret.json', '"hush"');
    const { message } = await refusal(relay.path);
    expect(message).toContain('.secret.json begins with a dot');
    expect(message).not.toContain('hush');
  });

  it('that does not export run, saying what it exports', async () => {
    using relay = new RelayFolder('export const start = () => 1; export default 2;');
    expect((await refusal(relay.path)).message).toBe('relay.ts does not export run (it exports default, start)');
  });

  it('that cannot be read', async () => {
    using relay = new RelayFolder(usual);
    rmSync(join(relay.path, 'relay.ts'));
    relay.write('relay.ts/inner', '');
    chmodSync(relay.path, 0o700);
    expect((await refusal(relay.path)).message).toContain('"entry" is "relay.ts", but there is no such file');
  });
});
