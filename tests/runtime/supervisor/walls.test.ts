import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { go, openWith, start, temporaryFolder } from './relay-fixture.ts';

/** Sockets among the descriptors of a process, by inode. */
function openSockets(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((fd) => {
    try {
      const target = readlinkSync(`${folder}/${fd}`);
      return target.startsWith('socket:') ? [target] : [];
    } catch {
      return [];
    }
  });
}

describe('a relay behind the walls', () => {
  it('reads and writes nothing outside, makes no process, and may write its own folder', async () => {
    const outside = join(temporaryFolder(), 'secret');
    writeFileSync(outside, 'secret');
    const { relay, watched, runDir } = await start(await openWith('trespasser.mjs'));
    relay.send({ tag: 'cancel', reason: outside });
    const denied = 'ERR_ACCESS_DENIED';
    expect((await watched.said('refusals')).fields).toEqual({
      read: denied,
      write: denied,
      inside: 'allowed',
      child: denied,
    });
    expect(existsSync(`${outside}.new`)).toBe(false);
    expect(readFileSync(join(runDir, 'inside'), 'utf8')).toBe('x');
  });

  it('sees the allow-list as its whole environment, whatever the host has', async () => {
    vi.stubEnv('SECRET_TOKEN', 'xyzzy');
    vi.stubEnv('NODE_OPTIONS', '--no-warnings');
    vi.stubEnv('TZ', 'Europe/Vienna');
    vi.stubEnv('LANG', 'C.UTF-8');
    vi.stubEnv('LC_ALL', undefined);
    try {
      const supervisor = await openWith('environment.mjs', {
        execPath: process.execPath,
        env: { ELECTRON_RUN_AS_NODE: '1' },
      });
      const { relay, watched, runDir } = await start(supervisor);
      relay.send(go);
      expect((await watched.said(runDir)).fields.env).toEqual({
        PATH: '/usr/bin:/bin',
        HOME: runDir,
        TMPDIR: runDir,
        LANG: 'C.UTF-8',
        TZ: 'Europe/Vienna',
        ELECTRON_RUN_AS_NODE: '1',
      });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('holds its own three sockets and none that another process holds', async () => {
    const supervisor = await openWith('echo.mjs');
    const first = await start(supervisor);
    const second = await start(supervisor);
    const sockets = [first, second].map(({ relay }) => openSockets(relay.identity.pid));
    expect(sockets.map((one) => one.length)).toEqual([3, 3]);
    expect(new Set([...sockets.flat(), ...openSockets(process.pid)]).size).toBe(6 + openSockets(process.pid).length);
  });

  it('is not started from a path whose star would open other folders', async () => {
    const runDir = join(temporaryFolder(), 'a*');
    mkdirSync(runDir);
    await expect(start(await openWith('echo.mjs'), { runDir })).rejects.toMatchObject({ code: 'invalid-input' });
  });
});

describe('probeWalls', () => {
  it('says of each wall whether it stands, from trying it', async () => {
    const supervisor = await openWith('echo.mjs');
    const reports = await supervisor.probeWalls();
    expect(Object.fromEntries(reports.map(({ wall, stands }) => [wall, stands]))).toEqual({
      'read outside': true,
      'write outside': true,
      'symbolic link to outside': true,
      'SQLite file outside': true,
      'child process': true,
      'worker thread': true,
      'native addon': true,
      inspector: true,
      "the host's environment": true,
      network: false,
      'signal to the host': false,
      'environment allow-list': true,
      bubblewrap: false,
    });
  });

  it('sees the walls fallen when Node runs without them', async () => {
    const execPath = join(temporaryFolder(), 'node');
    // Drops every flag and keeps the program: what a Node without a permission model would do.
    writeFileSync(execPath, `#!/bin/sh\nfor last; do :; done\nexec "${process.execPath}" "$last"\n`, { mode: 0o755 });
    const supervisor = await openWith('echo.mjs', { execPath, env: {} });
    const reports = await supervisor.probeWalls();
    // The shell of the stand-in adds variables of its own, so the allow-list falls too.
    expect(reports.filter((one) => one.stands)).toEqual([]);
  });
});
