import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findDataFolder, makeDataFolder } from '../../main/data-folder.ts';
import { changeSettings, readSettings, setBrokenSettingsAside, unusableSettings } from '../../main/settings.ts';
import { temporaryFolder } from './temporary-folder.ts';

function dataFolder() {
  const folder = findDataFolder(temporaryFolder());
  makeDataFolder(folder);
  return folder;
}

describe('settings', () => {
  it('are the usual ones until they are changed, and then kept for their owner alone', () => {
    const folder = dataFolder();
    expect(readSettings(folder)).toEqual({ recovery: 'off', opened: [] });
    changeSettings(folder, { recovery: 'immediate' });
    changeSettings(folder, { opened: ['/a'] });
    expect(readSettings(folder)).toEqual({ recovery: 'immediate', opened: ['/a'] });
    expect(statSync(folder.settings).mode & 0o777).toBe(0o600);
    expect(existsSync(`${folder.settings}.new`)).toBe(false);
  });

  it('of a newer version are kept beside those that are known', () => {
    const folder = dataFolder();
    writeFileSync(folder.settings, '{"recovery":"off","theme":"dark"}');
    changeSettings(folder, { recovery: 'immediate' });
    expect(JSON.parse(readFileSync(folder.settings, 'utf8'))).toMatchObject({ recovery: 'immediate', theme: 'dark' });
  });

  it.each(['{"recov', '{"recovery":"sometimes"}', '{"opened":"/a"}', '{"opened":[1]}'])(
    'that cannot be used, such as %s, count as none, and are set aside with every byte',
    (text) => {
      const folder = dataFolder();
      writeFileSync(folder.settings, text);
      expect(readSettings(folder)).toEqual({ recovery: 'off', opened: [] });
      setBrokenSettingsAside(folder);
      expect(readFileSync(unusableSettings(folder), 'utf8')).toBe(text);
      expect(existsSync(folder.settings)).toBe(false);
    },
  );

  it('that can be used, or are not there, are left where they are', () => {
    const folder = dataFolder();
    setBrokenSettingsAside(folder);
    changeSettings(folder, { recovery: 'immediate' });
    setBrokenSettingsAside(folder);
    expect(readSettings(folder).recovery).toBe('immediate');
    expect(existsSync(unusableSettings(folder))).toBe(false);
  });
});
