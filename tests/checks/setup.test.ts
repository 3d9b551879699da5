import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

const setup = join(import.meta.dirname, '../../build/setup');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'setup-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a few lines that see the exports of one setup module as `it`, and `folder`; gives what they print. */
function script(module: string, body: string): string[] {
  const source = `import * as it from '${pathToFileURL(join(setup, module)).href}';
    import * as fs from 'node:fs';
    const folder = ${JSON.stringify(folder)};
    ${body}`;
  return ['--input-type=module', '--eval', source];
}

function run(module: string, body: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, script(module, body), { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout.trim();
}

describe('the setup lock', () => {
  const increment = `
    const { release } = await it.holdLock(folder + '/lock', () => {});
    const count = Number(fs.readFileSync(folder + '/count', 'utf8'));
    await new Promise((done) => setTimeout(done, 20));
    fs.writeFileSync(folder + '/count', String(count + 1));
    release();`;

  it('lets one process in at a time', async () => {
    writeFileSync(join(folder, 'count'), '0');
    const children = Array.from({ length: 5 }, () => spawn(process.execPath, script('lock.mjs', increment)));
    await Promise.all(children.map((child) => once(child, 'exit')));
    expect(readFileSync(join(folder, 'count'), 'utf8')).toBe('5');
    expect(readdirSync(folder)).toEqual(['count']);
  });

  it('takes over from a process that was killed while it held the lock', async () => {
    const hold = `await it.holdLock(folder + '/lock', () => {}); console.log('held'); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, script('lock.mjs', hold), { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    writeFileSync(join(folder, 'count'), '0');
    run('lock.mjs', increment);
    expect(readFileSync(join(folder, 'count'), 'utf8')).toBe('1');
    expect(existsSync(join(folder, 'lock'))).toBe(false);
  });

  it('stays held while a child that it was shared with works on after its holder was killed', async () => {
    const hold = `
      const { spawn } = await import('node:child_process');
      const worker = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      (await it.holdLock(folder + '/lock', () => {})).share(worker.pid);
      console.log(worker.pid);`;
    const holder = spawn(process.execPath, script('lock.mjs', hold), { stdio: ['ignore', 'pipe', 'inherit'] });
    const [told] = (await once(holder.stdout, 'data')) as [Buffer];
    const worker = Number(told.toString());
    onTestFinished(() => void spawnSync('kill', [String(worker)]));
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const wait = `
      await it.holdLock(folder + '/lock', (pid) => { console.log(pid); process.kill(pid); });
      console.log('in');`;
    expect(run('lock.mjs', wait)).toBe(`${String(worker)}\nin`);
  });

  it('is not fooled by a process that has the number of the dead holder', () => {
    mkdirSync(join(folder, 'lock'));
    writeFileSync(join(folder, 'lock', 'holders.json'), JSON.stringify([{ pid: process.pid, start: 'another time' }]));
    writeFileSync(join(folder, 'count'), '0');
    run('lock.mjs', increment);
    expect(readFileSync(join(folder, 'count'), 'utf8')).toBe('1');
  });
});

describe('what counts as fresh', () => {
  const build = `
    fs.mkdirSync(folder + '/out/main', { recursive: true });
    fs.writeFileSync(folder + '/out/main/app.js', 'built');
    fs.mkdirSync(folder + '/out/renderer');
    fs.writeFileSync(folder + '/out/renderer/index.html', 'page');
    it.recordOutput(folder, it.outputFresh(folder).sources);`;
  const fresh = 'console.log(it.outputFresh(folder).fresh);';

  beforeEach(() => {
    mkdirSync(join(folder, 'main'));
    writeFileSync(join(folder, 'main', 'app.ts'), 'one');
  });

  it('takes a build of the same sources for fresh', () => {
    expect(run('freshness.mjs', `${build} ${fresh}`)).toBe('true');
  });

  it.each([
    ['a source changed', `fs.writeFileSync(folder + '/main/app.ts', 'two');`],
    ['a source was added', `fs.writeFileSync(folder + '/main/more.ts', '');`],
    ['a source was renamed', `fs.renameSync(folder + '/main/app.ts', folder + '/main/renamed.ts');`],
    ['a built file is gone', `fs.rmSync(folder + '/out/main/app.js');`],
    ['the page is gone', `fs.rmSync(folder + '/out/renderer', { recursive: true });`],
    ['there is no build', `fs.rmSync(folder + '/out', { recursive: true });`],
  ])('builds again when %s', (_, change) => {
    expect(run('freshness.mjs', `${build} ${change} ${fresh}`)).toBe('false');
  });

  const installed = `
    const packages = { '': {}, 'node_modules/a': { version: '1.0.0', integrity: 'x' }, 'node_modules/b': { version: '1.0.0', optional: true } };
    fs.writeFileSync(folder + '/package-lock.json', JSON.stringify({ packages }));
    fs.mkdirSync(folder + '/node_modules/node/bin', { recursive: true });
    const inside = (found) => fs.writeFileSync(folder + '/node_modules/.package-lock.json', JSON.stringify({ packages: found }));`;

  it('takes over an install by hand that matches the lock file', () => {
    const match = `inside({ 'node_modules/a': packages['node_modules/a'] });`;
    const verdict = `console.log(it.dependenciesFresh(folder), it.adoptInstalled(folder), it.dependenciesFresh(folder));`;
    expect(run('freshness.mjs', `${installed} ${match} ${verdict}`)).toBe('false true true');
  });

  it.each([
    ['another version', `inside({ 'node_modules/a': { version: '2.0.0', integrity: 'x' } });`],
    ['a package that is missing', 'inside({});'],
    ['a package too many', `inside({ ...packages, 'node_modules/c': { version: '1.0.0' } });`],
    ['no list of npm', ''],
  ])('installs again over %s', (_, found) => {
    expect(run('freshness.mjs', `${installed} ${found} console.log(it.adoptInstalled(folder));`)).toBe('false');
  });

  it('installs again when the lock file changed', () => {
    const change = `it.markInstalled(folder); fs.appendFileSync(folder + '/package-lock.json', ' ');`;
    expect(run('freshness.mjs', `${installed} ${change} console.log(it.dependenciesFresh(folder));`)).toBe('false');
  });
});

describe('a failed install', () => {
  it.each([
    ['npm error code ENOTFOUND', 'registry could not be reached'],
    ['npm error code SELF_SIGNED_CERT_IN_CHAIN', 'certificate is not trusted'],
    ['npm error code E401', 'refused access'],
    ['npm error code ENOSPC', 'disk is full'],
    ['npm error something else', "npm's own message"],
  ])('is explained by its cause: %s', (output, sentence) => {
    const explained = run('setup-error.mjs', `console.log(it.explainInstallFailure(${JSON.stringify(output)}));`);
    expect(explained).toContain(sentence);
  });
});
