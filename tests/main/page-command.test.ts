import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { wantsBrowser } from '../../main/page/browser.ts';
import { makeEphemeralFolder } from '../../main/page/ephemeral-folder.ts';
import { LabCommand } from '../support/lab-command.ts';
import { LabPage } from '../support/lab-page.ts';
import { gone } from '../support/process-life.ts';
import { RelayFolder } from '../support/relay-folder.ts';
import { TemporaryFolder } from '../support/temporary-folder.ts';
import { plain, program } from './plain-command.ts';

const endless = `
import { DBOS } from '@dbos-inc/dbos-sdk';
async function endless() {
  await DBOS.runStep(() => new Promise((resolve) => setInterval(resolve, 1e9)), { name: 'endless' });
}
export const run = DBOS.registerWorkflow(endless);
`;

describe('the command page', () => {
  it('prints where it serves, and as whom', async () => {
    using lab = new LabCommand();
    await using page = await LabPage.start(['--data-dir', lab.dataDir]);
    const { url, ...rest } = page.said;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
    expect(rest).toEqual({ pid: page.child.pid, dataFolder: lab.dataDir, ephemeral: false });
  });

  it('is the host of its folder: other commands are served by it', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(endless);
    await using page = await LabPage.start(['--data-dir', lab.dataDir]);
    const started = lab.spawn(['run', 'start', relay.path, '--id', 'shared', '--follow']);
    await once(started.stdout, 'data');
    const client = await page.client();
    expect(await client.call('run/show', { run: 'shared' })).toMatchObject({ run: { holder: { pid: page.said.pid } } });
    started.kill('SIGKILL');
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('ends live runs as interrupted at %s and lets the folder go', async (signal, code) => {
    using lab = new LabCommand();
    using relay = new RelayFolder(endless);
    await using page = await LabPage.start(['--data-dir', lab.dataDir]);
    const started = lab.spawn(['run', 'start', relay.path, '--id', 'live', '--follow']);
    await once(started.stdout, 'data');
    expect(await page.end(signal)).toMatchObject({ code, signal: null });
    expect(existsSync(join(lab.dataDir, 'host.json'))).toBe(false);
    const [shown] = (await lab.run(['run', 'show', 'live'])).lines;
    expect(shown).toMatchObject({ run: { state: 'interrupted' } });
    await expect(fetch(page.origin)).rejects.toThrow();
  });

  it('refuses a folder that another host holds, names it, and says what else can be done', async () => {
    using lab = new LabCommand();
    await using page = await LabPage.start(['--data-dir', lab.dataDir]);
    const refused = await lab.run(['page', '--no-open']);
    expect(refused).toMatchObject({ code: 3, lines: [{ error: { code: 'locked', facts: { pid: page.said.pid } } }] });
    expect(refused.stderr).toContain(`process ${page.said.pid} since 20`);
    expect(refused.stderr).toContain('recovery-lab page --ephemeral');
  });

  it('refuses a port that is taken, and lets the folder go', async () => {
    using lab = new LabCommand();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const port = String((other.address() as AddressInfo).port);
    const refused = await lab.run(['page', '--no-open', '--port', port]);
    other.close();
    expect(refused).toMatchObject({ code: 3, lines: [{ error: { code: 'locked' } }] });
    expect(refused.stderr).toContain(`port ${port} of 127.0.0.1 is taken`);
    await once(other, 'close');
    await using page = await LabPage.start(['--data-dir', lab.dataDir, '--port', port]);
    expect(new URL(page.said.url).port).toBe(port);
  });

  it.each([
    [['--port', '65536'], 'expected a port'],
    [['--port', '-1'], 'expected a whole number'],
    [['--ephemeral', '--data-dir', '/nowhere'], 'keeps its own data folder'],
  ])('refuses %j', async (words, sentence) => {
    using lab = new LabCommand();
    const refused = await lab.run(['page', '--no-open', ...words], { ownFolder: false });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(sentence);
  });

  it('says the same to a person', async () => {
    using temporary = new TemporaryFolder();
    const child = spawn(process.execPath, [program, 'page', '--data-dir', join(temporary.path, 'data')], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    child.kill('SIGINT');
    await once(child, 'close');
    expect(String(said)).toMatch(/^Relay Recovery Lab: http:\/\/127\.0\.0\.1:\d+\/\?token=\S+\ndata folder .+Ctrl-C/);
    expect((await plain(['page', '--help'], temporary.path)).stdout).toContain('--ephemeral');
  });
});

describe('--ephemeral', () => {
  const inside = (folder: TemporaryFolder): string[] => readdirSync(folder.path);

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'removes its private folder at %s, runs and all',
    async (signal) => {
      using temporary = new TemporaryFolder();
      await using page = await LabPage.start(['--ephemeral'], { TMPDIR: temporary.path });
      const { dataFolder, ephemeral } = page.said;
      expect(ephemeral).toBe(true);
      expect(statSync(dataFolder).mode & 0o777).toBe(0o700);
      await (await page.client()).call('scenario/run', { name: 'complete' });
      expect(inside(temporary)).toHaveLength(1);
      await page.end(signal);
      expect(inside(temporary)).toEqual([]);
    },
  );

  it('removes its folder when it cannot start', async () => {
    using temporary = new TemporaryFolder();
    await using page = await LabPage.start(['--ephemeral'], { TMPDIR: temporary.path });
    const port = new URL(page.origin).port;
    const failed = LabPage.start(['--ephemeral', '--port', port], { TMPDIR: temporary.path });
    await expect(failed).rejects.toThrow(`port ${port} of 127.0.0.1 is taken`);
    expect(inside(temporary)).toHaveLength(1);
  });

  it('removes its folder when the signal comes while it starts', async () => {
    using temporary = new TemporaryFolder();
    const child = spawn(process.execPath, [program, 'page', '--ephemeral'], {
      env: { ...process.env, TMPDIR: temporary.path },
      stdio: 'ignore',
    });
    while (inside(temporary).length === 0) await new Promise((resolve) => setImmediate(resolve));
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([143, null]);
    expect(inside(temporary)).toEqual([]);
  });

  it('removes at the next start what a killed host left, and never the folder of a living one', async () => {
    using temporary = new TemporaryFolder();
    const env = { TMPDIR: temporary.path };
    await using killed = await LabPage.start(['--ephemeral'], env);
    await using living = await LabPage.start(['--ephemeral'], env);
    await killed.end('SIGKILL');
    await gone(killed.said.pid);
    expect(existsSync(killed.said.dataFolder)).toBe(true);
    // Not a host's: these stay whatever happens.
    mkdirSync(join(temporary.path, 'lab-ephemeral-notes'));
    await using next = await LabPage.start(['--ephemeral'], env);
    expect(inside(temporary).sort()).toEqual(
      [living, next]
        .map(({ said }) => said.dataFolder.slice(temporary.path.length + 1))
        .concat('lab-ephemeral-notes')
        .sort(),
    );
    expect(await (await living.client()).call('permission/list', {})).toEqual([]);
  });
});

describe('an ephemeral folder', () => {
  it('whose owner lives and has not locked it yet is let be', async () => {
    using temporary = new TemporaryFolder();
    vi.stubEnv('TMPDIR', temporary.path);
    onTestFinished(() => void vi.unstubAllEnvs());
    const own = makeEphemeralFolder();
    await using page = await LabPage.start(['--ephemeral']);
    expect(page.said.dataFolder).toContain(temporary.path);
    expect(existsSync(own)).toBe(true);
  });
});

describe('a browser', () => {
  const seen = { platform: 'linux', env: { DISPLAY: ':0' }, isTerminal: true } as const;

  it('is opened for a person at a display', () => {
    expect(wantsBrowser(seen)).toBe(true);
    expect(wantsBrowser({ ...seen, env: { WAYLAND_DISPLAY: 'wayland-0' } })).toBe(true);
    expect(wantsBrowser({ ...seen, platform: 'darwin', env: {} })).toBe(true);
  });

  it('is not opened without a display, in CI, or for a program', () => {
    expect(wantsBrowser({ ...seen, env: {} })).toBe(false);
    expect(wantsBrowser({ ...seen, env: { DISPLAY: ':0', CI: 'true' } })).toBe(false);
    expect(wantsBrowser({ ...seen, isTerminal: false })).toBe(false);
  });
});
