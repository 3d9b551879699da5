import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readSecretValue } from '../../main/commands/secret-value.ts';
import { LabCommand } from '../support/lab-command.ts';
import { refusalOf } from '../support/refusal.ts';
import { RelayFolder } from '../support/relay-folder.ts';
import { StandingHost } from '../support/standing-host.ts';
import { plain } from './plain-command.ts';

const secretive = `
import { createHash } from 'node:crypto';
import { vault } from 'agentworks';
export async function run() {
  return createHash('sha256').update(await vault('TOKEN')).digest('hex').slice(0, 8);
}
`;

describe('recovery-lab vault', () => {
  it('keeps a value from stdin without its last line end, for its owner alone, and never prints it', async () => {
    using lab = new LabCommand();
    using relay = new RelayFolder(secretive, { name: 'secretive', secrets: ['TOKEN', 'MISSING'] });
    const set = await lab.run(['vault', 'set', 'TOKEN'], { input: 'a-secret-value\n' });
    expect(set).toMatchObject({ code: 0, lines: [{ name: 'TOKEN', kept: 'plain', problem: null }] });
    const file = join(lab.dataDir, 'vault.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain('"a-secret-value"');
    // SHA-256 of the value without a line end.
    expect(await lab.run(['run', 'start', relay.path])).toMatchObject({ lines: [{ run: { result: 'b1463417' } }] });
    const listed = await lab.run(['vault', 'list']);
    expect(listed).toMatchObject({ code: 0, lines: [{ name: 'TOKEN', set: { kept: 'plain' } }] });
    const shown = await plain(['vault', 'list'], lab.dataDir);
    expect(shown.stdout).toMatch(/✓ set +TOKEN +•••/);
    expect(shown.stderr).toContain(`values are kept readable by your user in ${file}`);
    for (const { stdout, stderr } of [set, listed, shown]) expect(stdout + stderr).not.toContain('a-secret-value');
    expect((await lab.run(['doctor'])).lines).toContainEqual({
      name: 'vault',
      ok: null,
      detail: expect.stringMatching(/^1 secret; values are kept readable by your user in /) as string,
    });
    expect(await lab.run(['vault', 'remove', 'TOKEN'])).toMatchObject({ code: 0, lines: [{ removed: true }] });
    expect(await lab.run(['run', 'start', relay.path])).toMatchObject({
      code: 1,
      lines: [{ run: { error: { message: expect.stringContaining('recovery-lab vault set TOKEN') as string } } }],
    });
    expect(await lab.run(['vault', 'remove', 'TOKEN'])).toMatchObject({
      code: 2,
      lines: [{ error: { code: 'not-found' } }],
    });
  });

  it('names the relays that ask for a secret, and whether they may have it', async () => {
    await using host = await StandingHost.start();
    using relay = new RelayFolder(secretive, { name: 'secretive', secrets: ['TOKEN'] });
    const lab = (words: string[]) => plain(words, host.dataDir);
    await host.client.call('relay/open', { folder: relay.path });
    expect((await lab(['vault', 'list'])).stdout).toMatch(/– not set +TOKEN +secretive \(granted with its first run\)/);
    expect(await lab(['permission', 'revoke', 'secret:secretive/TOKEN'])).toMatchObject({ code: 0 });
    expect((await lab(['vault', 'list'])).stdout).toMatch(/– not set +TOKEN +secretive \(revoked\)/);
    const { asked } = await host.client.call('vault/list', {});
    expect(asked).toContainEqual({ name: 'TOKEN', relay: 'secretive', granted: false });
  });

  it('changes the vault of the host that lives, which pushes what changed and never a value', async () => {
    await using host = await StandingHost.start();
    const items: unknown[] = [];
    const [first, second] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const stop = host.client.follow('lab/vault', {}, (item) => {
      items.push(item);
      first.resolve(undefined);
      if (item.secrets.length > 0) second.resolve(undefined);
    });
    await first.promise;
    await host.client.call('vault/set', { name: 'TOKEN', value: 'pushed-nowhere' });
    await second.promise;
    stop();
    expect(items.at(-1)).toMatchObject({ keeping: 'plain', secrets: [{ name: 'TOKEN', problem: null }] });
    expect(JSON.stringify(items)).not.toContain('pushed-nowhere');
  });

  it.each([
    ['a value on the command line', ['TOKEN', 'on-the-line'], '', /more than the name TOKEN .* history/],
    ['a name of another form', ['token'], 'long-enough', /"token"; expected 1 to 64 capital letters/],
    ['a value that is too short', ['TOKEN'], '1234567\n', /7 characters long; expected at least 8/],
    ['no value at all', ['TOKEN'], '', /0 characters long; expected at least 8/],
    ['a value that is too long', ['TOKEN'], 'x'.repeat(60_000), /stdin holds over \d+ bytes/],
  ])('refuses %s with 2, without repeating it', async (_what, words, input, why) => {
    using lab = new LabCommand();
    const refused = await lab.run(['vault', 'set', ...words], { input });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(why) as string });
    expect(refused.stdout + refused.stderr).not.toMatch(/on-the-line|long-enough|1234567|xxxxxxxx/);
    expect(existsSync(join(lab.dataDir, 'vault.json'))).toBe(false);
  });

  it('opens no lab on a vault that it cannot read, says why, and leaves it as it is', async () => {
    using lab = new LabCommand();
    await lab.run(['vault', 'set', 'TOKEN'], { input: 'a-secret-value' });
    const file = join(lab.dataDir, 'vault.json');
    const damaged = readFileSync(file, 'utf8').slice(0, -20);
    writeFileSync(file, damaged);
    for (const words of [
      ['vault', 'list'],
      ['permission', 'grant', 'relay:x'],
    ]) {
      const refused = await lab.run(words);
      expect(refused).toMatchObject({ code: 1, lines: [{ error: { code: 'vault-unreadable' } }] });
      expect(refused.stderr).not.toContain('a-secret');
    }
    const doctor = await lab.run(['doctor']);
    expect(doctor.lines.at(-1)).toMatchObject({ name: 'host', ok: false });
    expect(readFileSync(file, 'utf8')).toBe(damaged);
    // What only reads the ledger needs no vault.
    expect(await lab.run(['run', 'list'])).toMatchObject({ code: 0 });
  });
});

describe('the prompt for a value', () => {
  class Terminal extends PassThrough {
    readonly isTTY = true;
    readonly modes: boolean[] = [];
    setRawMode(mode: boolean): this {
      this.modes.push(mode);
      return this;
    }
  }

  it('shows nothing of what is typed, and takes the system echo off meanwhile', async () => {
    const [input, prompt] = [new Terminal(), new PassThrough()];
    const value = readSecretValue('TOKEN', { input, prompt });
    input.write('typed-secrex\u007ft\r');
    expect(await value).toBe('typed-secret');
    expect(String(prompt.read())).toBe('Value of TOKEN (what you type is not shown): \n');
    expect(input.modes).toEqual([true, false]);
  });

  it('changes nothing when it is left', async () => {
    const [input, prompt] = [new Terminal(), new PassThrough()];
    const value = readSecretValue('TOKEN', { input, prompt });
    input.write('half\u0003');
    expect(await refusalOf(value)).toMatchObject({ code: 'cancelled', message: /TOKEN was left/ as unknown as string });
  });
});
