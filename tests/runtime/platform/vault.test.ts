import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openVault, plainBox, type SecretBox, type Vault } from '../../../runtime/platform/index.ts';
import { refusalOf } from '../../support/refusal.ts';
import { TemporaryFolder } from '../../support/temporary-folder.ts';

/** Stands for a key store: what it protects it alone can open. */
function keyStore(key = 'k'): SecretBox {
  return {
    keeping: 'key-store',
    words: (file) => `in the store, ${file}`,
    protect: (value) => Promise.resolve(`${key}:${Buffer.from(value).toString('base64')}`),
    unprotect: (kept) =>
      kept.startsWith(`${key}:`)
        ? Promise.resolve(Buffer.from(kept.slice(key.length + 1), 'base64').toString())
        : Promise.reject(new Error('another key')),
  };
}

class VaultFolder extends TemporaryFolder {
  readonly file = join(this.path, 'vault.json');

  open(box: SecretBox = plainBox()): Promise<Vault> {
    return openVault({ file: this.file, box, clock: { now: () => 1000 } });
  }

  get text(): string {
    return readFileSync(this.file, 'utf8');
  }
}

describe('the vault', () => {
  it('keeps values over a restart, in a file of its owner alone, and says so', async () => {
    using folder = new VaultFolder();
    const vault = await folder.open();
    expect(existsSync(folder.file)).toBe(false);
    await Promise.all([vault.set('TOKEN', 'first-value'), vault.set('A_KEY', 'line one\nline two')]);
    expect(statSync(folder.file).mode & 0o777).toBe(0o600);
    expect(vault.words).toContain(`readable by your user in ${folder.file}`);
    const again = await folder.open();
    expect(again.list()).toEqual([
      { name: 'A_KEY', changedAt: 1000, kept: 'plain', problem: null },
      { name: 'TOKEN', changedAt: 1000, kept: 'plain', problem: null },
    ]);
    expect(await again.resolve('TOKEN')).toBe('first-value');
    expect(await again.resolve('A_KEY')).toBe('line one\nline two');
  });

  it('takes back rights that others were given on its file, and replaces a draft that was left behind', async () => {
    using folder = new VaultFolder();
    await (await folder.open()).set('TOKEN', 'first-value');
    chmodSync(folder.file, 0o644);
    writeFileSync(`${folder.file}.new`, 'half a vau', { mode: 0o644 });
    const vault = await folder.open();
    expect(statSync(folder.file).mode & 0o777).toBe(0o600);
    await vault.set('TOKEN', 'other-value');
    expect(statSync(folder.file).mode & 0o777).toBe(0o600);
    expect(await (await folder.open()).resolve('TOKEN')).toBe('other-value');
  });

  it('gives the value of now, and none after it was removed', async () => {
    using folder = new VaultFolder();
    const vault = await folder.open();
    await vault.set('TOKEN', 'first-value');
    await vault.set('TOKEN', 'other-value');
    expect(await vault.resolve('TOKEN')).toBe('other-value');
    await vault.remove('TOKEN');
    const gone = await refusalOf(vault.resolve('TOKEN'));
    expect(gone).toMatchObject({ code: 'not-found', next: 'Set it: recovery-lab vault set TOKEN' });
    expect(await refusalOf(vault.remove('TOKEN'))).toMatchObject({ code: 'not-found' });
    expect(folder.text).not.toContain('value');
  });

  it('knows replaced and removed values until it is closed, and tells of each change', async () => {
    using folder = new VaultFolder();
    const vault = await folder.open();
    const { known } = vault;
    let changes = 0;
    const stop = known.onChange(() => (changes += 1));
    await vault.set('TOKEN', 'first-value');
    expect(changes).toBeGreaterThan(0);
    await vault.set('TOKEN', 'other-value');
    await vault.remove('TOKEN');
    stop();
    const before = changes;
    await vault.set('LATER', 'later-value');
    expect(changes).toBe(before);
    expect(known.list().map(({ name, value }) => `${name}=${value}`)).toEqual([
      'TOKEN=first-value',
      'TOKEN=other-value',
      'LATER=later-value',
    ]);
  });

  it('knows a value even when it could not be kept, and changes nothing then', async () => {
    using folder = new VaultFolder();
    const vault = await folder.open();
    await vault.set('TOKEN', 'first-value');
    mkdirSync(`${folder.file}.new`);
    const refused = await refusalOf(vault.set('TOKEN', 'other-value'));
    expect(refused).toMatchObject({
      code: 'ledger-unwritable',
      message: expect.stringContaining(folder.file) as string,
    });
    expect(await vault.resolve('TOKEN')).toBe('first-value');
    expect(await (await folder.open()).resolve('TOKEN')).toBe('first-value');
    expect(vault.known.list()).toContainEqual({ name: 'TOKEN', value: 'other-value' });
  });

  it.each([
    ['token', 'long-enough', 'the name of the secret is "token"; expected 1 to 64 capital letters'],
    ['TOKEN', 'short-7', 'the value of TOKEN is 7 characters long; expected at least 8, because a shorter text'],
    ['TOKEN', 'x'.repeat(16_385), 'the value of TOKEN is 16385 characters long; expected at most 16384'],
    ['TOKEN', 'with\0-a-nul', 'the value of TOKEN holds a NUL character; expected none'],
    ['TOKEN', 'half \ud800 of it', 'the value of TOKEN holds half of a surrogate pair'],
  ])('refuses %s with a value that it cannot keep, and does not repeat it', async (name, value, words) => {
    using folder = new VaultFolder();
    const refused = await refusalOf((await folder.open()).set(name, value));
    expect(refused.code).toBe('invalid-input');
    expect(refused.message).toContain(words);
    expect(JSON.stringify(refused.toData())).not.toContain(value);
    expect(existsSync(folder.file)).toBe(false);
  });

  it('keeps what belongs to one run under its name, and lists it not', async () => {
    using folder = new VaultFolder();
    const vault = await folder.open();
    await vault.set('run/r-1/password', 'of this run alone');
    expect(vault.list()).toEqual([]);
    const again = await folder.open();
    expect(await again.resolve('run/r-1/password')).toBe('of this run alone');
    expect(again.known.list()).toEqual([{ name: 'run/r-1/password', value: 'of this run alone' }]);
  });
});

describe('a value that the system encrypted', () => {
  it('stands in the file in no readable form, and says how it is kept', async () => {
    using folder = new VaultFolder();
    const vault = await folder.open(keyStore());
    await vault.set('TOKEN', 'first-value');
    expect(folder.text).not.toContain('first-value');
    expect(vault.list()).toMatchObject([{ kept: 'key-store', problem: null }]);
    expect(await (await folder.open(keyStore())).resolve('TOKEN')).toBe('first-value');
  });

  it.each([
    ['a host without that key store', plainBox(), /encrypted by the desktop app, and only that can read it/],
    ['a key store whose key is another', keyStore('other'), /another key/],
  ])('cannot be had in %s, is not lost there, and can be set again', async (_host, box, why) => {
    using folder = new VaultFolder();
    const first = await folder.open(keyStore());
    await first.set('TOKEN', 'first-value');
    const vault = await folder.open(box);
    const refused = await refusalOf(vault.resolve('TOKEN'));
    expect(refused).toMatchObject({ code: 'vault-unreadable', next: 'Set it again: recovery-lab vault set TOKEN' });
    expect(refused.message).toMatch(/^the secret TOKEN cannot be read in this host/);
    expect(vault.list()[0]?.problem).toMatch(why);
    await vault.set('OTHER', 'other-value');
    expect(await (await folder.open(keyStore())).resolve('TOKEN')).toBe('first-value');
    await vault.set('TOKEN', 'set again here');
    expect(await vault.resolve('TOKEN')).toBe('set again here');
    expect(vault.list()).toMatchObject([{ name: 'OTHER' }, { name: 'TOKEN', problem: null }]);
  });

  it('may stand beside readable ones, which every host can read', async () => {
    using folder = new VaultFolder();
    await (await folder.open()).set('PLAIN', 'plain-value');
    const desktop = await folder.open(keyStore());
    await desktop.set('SEALED', 'sealed-value');
    expect(await desktop.resolve('PLAIN')).toBe('plain-value');
    expect(desktop.list().map(({ name, kept }) => `${name} ${kept}`)).toEqual(['PLAIN plain', 'SEALED key-store']);
  });
});

describe('a vault file that cannot be used', () => {
  const secret = { kept: 'plain', value: 'lost-value', changedAt: 1 };
  it.each([
    ['cut in the middle', '{"version":1,"secrets":{"TOKEN":{"value":"lost-va', 'it is not JSON'],
    ['no object', '[]', 'it holds no JSON object'],
    ['without a version', '{"secrets":{}}', 'it has no "version" 1 with "secrets"'],
    ['without secrets', '{"version":1}', 'it has no "version" 1 with "secrets"'],
    ['of a newer version', '{"version":2,"secrets":{}}', 'has version 2; this lab reads version 1'],
    [
      'with a keeping that is not known',
      JSON.stringify({ version: 1, secrets: { TOKEN: { ...secret, kept: 'tpm' } } }),
      'the secret TOKEN in it has not',
    ],
    [
      'with a value that is none',
      JSON.stringify({ version: 1, secrets: { TOKEN: { ...secret, value: 7 } } }),
      'the secret TOKEN in it has not',
    ],
  ])('%s is refused by name, stays as it is, and is not quoted', async (_what, text, words) => {
    using folder = new VaultFolder();
    writeFileSync(folder.file, text);
    const refused = await refusalOf(folder.open());
    expect(refused.code).toBe('vault-unreadable');
    expect(refused.message).toContain(folder.file);
    expect(refused.message).toContain(words);
    expect(refused.message).not.toContain('lost-va');
    expect(folder.text).toBe(text);
  });
});
