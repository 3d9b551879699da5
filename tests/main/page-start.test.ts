import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { findElectron, runElectron, whyNoWindow } from '../../build/setup/electron.mjs';
import { findChromium } from '../../build/setup/chromium.mjs';
import { TemporaryFolder } from '../support/temporary-folder.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));

/** A checkout with the real set-up and build, whose package `electron` is what the test makes it. */
let checkout: TemporaryFolder;
let electron: string;

beforeEach(() => {
  checkout = new TemporaryFolder();
  electron = join(checkout.path, 'node_modules', 'electron');
  mkdirSync(electron, { recursive: true });
  cpSync(join(project, 'build/setup'), join(checkout.path, 'build/setup'), { recursive: true });
  symlinkSync(join(project, 'out'), join(checkout.path, 'out'));
  writeFileSync(join(checkout.path, 'package.json'), '{"type":"module"}');
  writeFileSync(join(checkout.path, 'package-lock.json'), '{}');
});
afterEach(() => checkout[Symbol.dispose]());

function installer(source: string): void {
  writeFileSync(join(electron, 'package.json'), '{"type":"commonjs"}');
  writeFileSync(join(electron, 'install.js'), `require('fs').appendFileSync(__dirname + '/asked', 'x');\n${source}`);
}

function timesAsked(): number {
  const asked = join(electron, 'asked');
  return existsSync(asked) ? readFileSync(asked, 'utf8').length : 0;
}

/** `fetchElectron` in a process of its own, for it waits and is told to stop by signals. */
function fetchIt(patienceMs = 20_000): string {
  const source = `
    import { fetchElectron } from './build/setup/electron.mjs';
    console.log(await fetchElectron(${JSON.stringify(checkout.path)}, { say: () => {}, patienceMs: ${patienceMs} }));`;
  const words = ['--input-type=module', '--eval', source];
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: checkout.path, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.trim();
}

describe('fetching Electron', () => {
  it('gives the program that the installer put there, and does not ask again', () => {
    installer(`
      fs = require('fs');
      fs.mkdirSync(__dirname + '/dist');
      fs.writeFileSync(__dirname + '/dist/electron', '');
      fs.writeFileSync(__dirname + '/path.txt', 'electron');`);
    expect(fetchIt()).toBe(join(electron, 'dist', 'electron'));
    expect(fetchIt()).toBe(join(electron, 'dist', 'electron'));
    expect(timesAsked()).toBe(1);
    expect(findElectron(checkout.path)).toBe(join(electron, 'dist', 'electron'));
  });

  it('gives up with the installer, and asks again only for another lock file', () => {
    installer('process.exit(1)');
    expect([fetchIt(), fetchIt(), timesAsked()]).toEqual(['null', 'null', 1]);
    writeFileSync(join(checkout.path, 'package-lock.json'), '{ }');
    expect([fetchIt(), timesAsked()]).toEqual(['null', 2]);
  });

  it('ends an installer that nothing comes for any more, and leaves nothing of it', () => {
    installer(`
      const { mkdtempSync, writeFileSync } = require('fs');
      writeFileSync(mkdtempSync(require('os').tmpdir() + '/electron-download-') + '/electron.zip', 'half');
      setInterval(() => {}, 1000);`);
    expect(fetchIt(100)).toBe('null');
    expect(spawnSync('ls', ['-A', join(checkout.path, 'node_modules')], { encoding: 'utf8' }).stdout).toBe(
      '.recovery-lab-no-electron.json\nelectron\n',
    );
  });

  it('waits for an installer as long as something comes', () => {
    installer(`
      const { appendFileSync, mkdirSync, writeFileSync } = require('fs');
      let parts = 0;
      setInterval(() => {
        appendFileSync(require('os').tmpdir() + '/electron.zip', 'x');
        if ((parts += 1) < 12) return;
        mkdirSync(__dirname + '/dist');
        writeFileSync(__dirname + '/dist/electron', '');
        process.exit(0);
      }, 300);`);
    expect(fetchIt(1500)).toBe(join(electron, 'dist', 'electron'));
  });
});

describe('a window', () => {
  const linux = { platform: 'linux', env: { DISPLAY: ':0' }, isRoot: false };

  it('can be opened at a display', () => {
    expect(whyNoWindow(linux)).toBeNull();
    expect(whyNoWindow({ ...linux, env: { WAYLAND_DISPLAY: 'wayland-0' } })).toBeNull();
    expect(whyNoWindow({ platform: 'darwin', env: {}, isRoot: true })).toBeNull();
  });

  it('cannot without one, as root, or when it is not wanted', () => {
    expect(whyNoWindow({ ...linux, env: {} })).toContain('no display');
    expect(whyNoWindow({ ...linux, isRoot: true })).toContain('root');
    expect(whyNoWindow({ ...linux, env: { DISPLAY: ':0', RECOVERY_LAB_NO_ELECTRON: '1' } })).toContain('is set');
  });

  it('is started with the words that were given, and its code is told', async () => {
    const program = join(checkout.path, 'electron');
    const told = join(checkout.path, 'told');
    writeFileSync(program, `#!/bin/sh\necho "$@" > ${told}\nexit 7\n`, { mode: 0o755 });
    expect(await runElectron(program, ['/app', '--ephemeral'])).toBe(7);
    expect(readFileSync(told, 'utf8')).toBe('/app --ephemeral\n');
  });

  it('that cannot start here is told apart from one that failed', async () => {
    const program = join(checkout.path, 'electron');
    writeFileSync(program, '#!/bin/sh\nexit 127\n', { mode: 0o755 });
    expect(await runElectron(program, [])).toBeNull();
    expect(await runElectron(join(checkout.path, 'missing'), [])).toBeNull();
  });
});

describe('npm start', () => {
  function start(env: NodeJS.ProcessEnv) {
    const words = [join(checkout.path, 'build/setup/start.mjs'), '--ephemeral'];
    const child = spawn(process.execPath, words, {
      env: { ...process.env, DISPLAY: undefined, WAYLAND_DISPLAY: undefined, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let stderr = '';
    child.stderr.on('data', (part) => (stderr += String(part)));
    return { child, stderr: () => stderr };
  }

  it('says in one line that it serves the page, serves it, and ends well at Ctrl-C', async () => {
    const { child, stderr } = start({ RECOVERY_LAB_NO_ELECTRON: '1' });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    expect(line).toMatch(/^Relay Recovery Lab: http:\/\/127\.0\.0\.1:/);
    expect(stderr()).toBe('setup: RECOVERY_LAB_NO_ELECTRON is set: serving the page instead.\n');
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([0, null]);
  });
});

describe('Chromium', () => {
  it('is found on the path, when it is a program that runs', () => {
    const folder = join(checkout.path, 'bin');
    mkdirSync(folder);
    const program = (name: string, code: number): void =>
      writeFileSync(join(folder, name), `#!/bin/sh\nexit ${code}\n`, { mode: 0o755 });
    program('chromium', 1);
    expect(findChromium({ PATH: folder })).toBeNull();
    program('google-chrome', 0);
    expect(findChromium({ PATH: folder })).toBe(join(folder, 'google-chrome'));
    program('mine', 0);
    expect(findChromium({ PATH: folder, RECOVERY_LAB_CHROMIUM: join(folder, 'mine') })).toBe(join(folder, 'mine'));
    expect(findChromium({ PATH: folder, RECOVERY_LAB_CHROMIUM: join(folder, 'none') })).toBeNull();
  });
});
