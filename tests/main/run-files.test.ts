import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listRunFiles, readRunFile } from '../../main/run-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

function runFolder(): string {
  const folder = join(temporaryFolder(), 'run');
  mkdirSync(join(folder, 'attempts/1'), { recursive: true });
  writeFileSync(join(folder, 'attempts/1/stdout'), 'héllo wörld');
  writeFileSync(join(folder, 'relay_result.json'), '{}');
  writeFileSync(join(folder, 'picture'), Buffer.from([0x89, 0x50, 0, 0xff]));
  return folder;
}

describe('files of a run', () => {
  it('are listed by path, and links and devices are not', async () => {
    const folder = runFolder();
    symlinkSync('/etc/passwd', join(folder, 'link'));
    symlinkSync('/etc', join(folder, 'linked-folder'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const files = await listRunFiles(folder);
    expect(files.map(({ path, bytes, text }) => [path, bytes, text])).toEqual([
      ['attempts/1/stdout', 13, true],
      ['picture', 4, false],
      ['relay_result.json', 2, true],
    ]);
    expect(await listRunFiles(join(folder, 'none'))).toEqual([]);
  });

  it('are listed up to 5,000', async () => {
    const folder = runFolder();
    for (let number = 0; number < 5010; number += 1) writeFileSync(join(folder, `n-${number}`), '');
    expect(await listRunFiles(folder)).toHaveLength(5000);
  });

  it('are read in parts that end at whole characters, whatever the size of a part', async () => {
    const folder = runFolder();
    for (const limit of [1, 2, 3, 5, 100]) {
      let text = '';
      for (let next: number | null = 0; next !== null;) {
        const part = await readRunFile(folder, { path: 'attempts/1/stdout', offset: next, limit });
        expect(part).toMatchObject({ encoding: 'utf8', offset: next, bytes: 13 });
        text += part.content;
        next = part.next;
      }
      expect(text).toBe('héllo wörld');
    }
  });

  it('that are no text come as base64, in parts of the size asked for', async () => {
    const folder = runFolder();
    const first = await readRunFile(folder, { path: 'picture', offset: 0, limit: 3 });
    expect(first).toMatchObject({ encoding: 'base64', content: 'iVAA', next: 3 });
    expect(await readRunFile(folder, { path: 'picture', offset: 3, limit: 3 })).toMatchObject({
      content: '/w==',
      next: null,
    });
  });

  it.each(['../secret', '/etc/passwd', 'attempts/../../secret', 'attempts//1', '.', 'a\0b'])(
    'are not read by the path %j',
    async (path) => {
      const folder = runFolder();
      writeFileSync(join(folder, '../secret'), 'x');
      await expect(readRunFile(folder, { path, offset: 0, limit: 10 })).rejects.toMatchObject({
        code: 'invalid-input',
      });
    },
  );

  it('are not read through a link, in a folder that is one, or from a pipe, which does not hang either', async () => {
    const folder = runFolder();
    mkdirSync(join(folder, '../elsewhere'));
    writeFileSync(join(folder, '../elsewhere/secret'), 'x');
    symlinkSync('../elsewhere/secret', join(folder, 'link'));
    symlinkSync('../elsewhere', join(folder, 'folder'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    for (const path of ['link', 'folder/secret', 'pipe', 'attempts', 'none']) {
      const reading = readRunFile(folder, { path, offset: 0, limit: 10 });
      await expect(reading, path).rejects.toMatchObject({ code: 'not-found' });
    }
  });
});
