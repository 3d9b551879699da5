import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LabCommand } from '../support/lab-command.ts';
import { StandInDesktop } from '../support/stand-in-desktop.ts';
import { clientOf, connected, DataDir } from './desktop-lab.ts';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The desktop host on a key store of its own. Always on the stand-in, whose key store really encrypts: this system's own
 * is the person's, and a test must not write there.
 */
async function withLab<Gives>(
  dataDir: string,
  env: NodeJS.ProcessEnv,
  work: (client: Awaited<ReturnType<typeof clientOf>>) => Promise<Gives>,
): Promise<Gives> {
  await using desktop = StandInDesktop.start(root, { dataDir, env });
  await connected(await desktop.window());
  const client = await clientOf(dataDir);
  try {
    return await work(client);
  } finally {
    await client.close();
    await desktop.quit();
    await desktop.ended;
  }
}

describe('the vault of the desktop app', () => {
  it('is encrypted with the system’s key store, which another host cannot read, and loses nothing there', async () => {
    using folder = new DataDir();
    const file = join(folder.dataDir, 'vault.json');
    await withLab(folder.dataDir, {}, async (client) => {
      await client.call('vault/set', { name: 'TOKEN', value: 'sealed-secret' });
      const { words, secrets } = await client.call('vault/list', {});
      expect(words).toBe(`values are encrypted with a key of the system's key store (gnome_libsecret), in ${file}`);
      expect(secrets).toMatchObject([{ name: 'TOKEN', kept: 'key-store', problem: null }]);
      expect(await client.call('doctor', {})).toContainEqual({ name: 'vault', ok: true, detail: `1 secret; ${words}` });
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const kept = readFileSync(file, 'utf8');
    expect(kept).not.toContain('sealed-secret');
    expect(kept).not.toContain(Buffer.from('sealed-secret').toString('base64'));

    using command = new LabCommand();
    const listed = await command.run(['vault', 'list', '--data-dir', folder.dataDir], { ownFolder: false });
    expect(listed).toMatchObject({ code: 0, lines: [{ name: 'TOKEN', set: { kept: 'key-store' } }] });
    expect(JSON.stringify(listed.lines)).toContain('encrypted by the desktop app, and only that can read it');
    const doctor = await command.run(['doctor', '--data-dir', folder.dataDir], { ownFolder: false });
    expect(doctor.lines).toContainEqual({
      ...{ name: 'vault', ok: false },
      detail: expect.stringMatching(/not readable in this host, to be set again: TOKEN$/) as string,
    });

    await withLab(folder.dataDir, {}, async (client) => {
      expect((await client.call('vault/list', {})).secrets).toMatchObject([{ name: 'TOKEN', problem: null }]);
    });
    await withLab(folder.dataDir, { STAND_IN_KEY: 'of somebody else' }, async (client) => {
      expect((await client.call('vault/list', {})).secrets).toMatchObject([
        { name: 'TOKEN', problem: expect.any(String) as string },
      ]);
    });
  }, 90_000);

  it.each([
    ['none', 'this system offers no key store to the app'],
    ['basic_text', 'this desktop offers the app no key store (Electron found "basic_text")'],
  ])(
    'is readable where the key store is %s, and says so',
    async (system, why) => {
      using folder = new DataDir();
      const file = join(folder.dataDir, 'vault.json');
      await withLab(folder.dataDir, { STAND_IN_KEY_STORE: system }, async (client) => {
        await client.call('vault/set', { name: 'TOKEN', value: 'plain-secret' });
        const { words, keeping } = await client.call('vault/list', {});
        expect({ words, keeping }).toEqual({
          words: `values are kept readable by your user in ${file} (mode 0600): ${why}`,
          keeping: 'plain',
        });
      });
      expect(readFileSync(file, 'utf8')).toContain('"plain-secret"');
    },
    60_000,
  );
});
