import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, describe } from 'vitest';
import { relaySource } from '../../main/built-program.ts';
import { ownRelay } from '../../main/own-relays.ts';
import { openReleases } from '../../runtime/release/index.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A data folder, and the relay `poison` in a package that can be moved. */
function labAndPackage() {
  const folder = { root: temporaryFolder() };
  const source = join(temporaryFolder(), 'poison');
  cpSync(relaySource('poison'), source, { recursive: true });
  return { folder, source };
}

describe("a scenario's relay in the data folder", () => {
  it('is the same unchanged draft of a release after the package was mounted elsewhere', async () => {
    const { folder, source } = labAndPackage();
    const copy = ownRelay(folder, 'poison', source);
    const releases = openReleases({ folder: join(folder.root, 'releases') });
    const release = await releases.publish(copy);
    const elsewhere = join(temporaryFolder(), 'poison');
    renameSync(source, elsewhere);
    expect(ownRelay(folder, 'poison', elsewhere)).toBe(copy);
    expect(await releases.draftChanges(copy, release)).toEqual([]);
    // A run that was started from the package's own folder could not be recovered now.
    expect(await releases.draftChanges(source, release)).toEqual(['index.ts (missing)', 'relay.json (missing)']);
  });

  it('gets a folder of its own for each content, and an update leaves the earlier one as it was', () => {
    const { folder, source } = labAndPackage();
    const before = ownRelay(folder, 'poison', source);
    const text = readFileSync(join(before, 'index.ts'), 'utf8');
    writeFileSync(join(source, 'index.ts'), `${text}\n// updated`);
    const after = ownRelay(folder, 'poison', source);
    expect(after).not.toBe(before);
    expect(readFileSync(join(before, 'index.ts'), 'utf8')).toBe(text);
    expect(readFileSync(join(after, 'index.ts'), 'utf8')).toBe(`${text}\n// updated`);
  });

  it('is copied anew when the copying was cut short', () => {
    const { folder, source } = labAndPackage();
    const copy = ownRelay(folder, 'poison', source);
    renameSync(copy, `${copy}.draft`);
    writeFileSync(join(`${copy}.draft`, 'index.ts'), 'half');
    expect(ownRelay(folder, 'poison', source)).toBe(copy);
    expect(readdirSync(dirname(copy))).toHaveLength(1);
    expect(readFileSync(join(copy, 'index.ts'))).toEqual(readFileSync(join(source, 'index.ts')));
  });

  it('that cannot be copied says where', () => {
    const { source } = labAndPackage();
    const refused = expect.objectContaining({ code: 'ledger-unwritable' }) as unknown;
    expect(() => ownRelay({ root: '/proc/self' }, 'poison', source)).toThrow(refused);
  });
});
