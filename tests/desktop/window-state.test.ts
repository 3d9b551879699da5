import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePlace, visibleBounds } from '../../main/desktop/window-place.ts';
import { launchDesktop } from '../support/desktop-host.ts';
import { DataDir, standIn } from './desktop-lab.ts';

const bounds = { x: 200, y: 120, width: 1100, height: 700 };

describe('where the window stands', () => {
  it('is kept until the next start, and whether it was maximised', async (context) => {
    using folder = new DataDir();
    {
      await using desktop = await launchDesktop(folder);
      const host = standIn(desktop, context);
      await host.ask('set-bounds', bounds);
      await host.ask('maximise', null);
      await host.ask('close-window', null);
      await host.ended;
    }
    const kept: unknown = JSON.parse(readFileSync(join(folder.dataDir, 'window.json'), 'utf8'));
    expect(kept).toEqual({ bounds, maximised: true });
    // Of the two displays, the one that it stood on is gone.
    const displays = JSON.stringify([{ x: -2000, y: 0, width: 1000, height: 800 }]);
    await using desktop = await launchDesktop({
      dataDir: folder.dataDir,
      env: { STAND_IN_DISPLAYS: displays },
    });
    const host = standIn(desktop, context);
    await host.toldOf('shown');
    expect(await host.ask('window', null)).toMatchObject({
      ...{ bounds: { x: 0, y: 0, width: 1100, height: 700 }, isMaximised: true },
    });
  }, 60_000);
});

describe('a place that was kept', () => {
  it('is read as it was written', () => {
    expect(parsePlace(JSON.stringify({ bounds, maximised: true }))).toEqual({ bounds, maximised: true });
  });

  it.each([
    ['is no JSON', '{'],
    ['is not there', ''],
    ['is null', 'null'],
    ['has no bounds', JSON.stringify({ maximised: true })],
    ['has bounds that are null', JSON.stringify({ bounds: null, maximised: true })],
    ['has words for numbers', JSON.stringify({ bounds: { ...bounds, x: 'left' }, maximised: false })],
    ['has parts of pixels', JSON.stringify({ bounds: { ...bounds, y: 0.5 }, maximised: false })],
    ['is too small to be used', JSON.stringify({ bounds: { ...bounds, width: 10 }, maximised: false })],
    ['does not say whether it was maximised', JSON.stringify({ bounds })],
  ])('counts as none when it %s', (_why, text) => {
    expect(parsePlace(text)).toBeNull();
  });

  it.each([
    ['as it was, on a display that holds it', [{ x: 0, y: 0, width: 1920, height: 1080 }], bounds],
    ['as it was, half outside', [{ x: 0, y: 0, width: 1200, height: 800 }], bounds],
    [
      'on the second display',
      [
        { x: -900, y: 0, width: 800, height: 600 },
        { x: 0, y: 0, width: 1920, height: 1080 },
      ],
      bounds,
    ],
    ['no larger than its display', [{ x: 0, y: 0, width: 1000, height: 600 }], { ...bounds, width: 1000, height: 600 }],
    [
      'with its size alone, on no display',
      [{ x: 5000, y: 0, width: 1920, height: 1080 }],
      { width: 1100, height: 700 },
    ],
    ['with its size alone, hardly on one', [{ x: 0, y: 0, width: 250, height: 1080 }], { width: 1100, height: 700 }],
    ['with its size alone, without displays', [], { width: 1100, height: 700 }],
  ])('is used %s', (_how, areas, expected) => {
    expect(visibleBounds(bounds, areas)).toEqual(expected);
  });
});
