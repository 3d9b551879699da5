// Draws icon.svg in all sizes that the packages take. Run by hand after the drawing changed; what it writes is committed.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findChromium } from '../setup/chromium.mjs';
import { icns, icnsImages } from './icns.ts';

/** Widths that Linux desktops look for, in pixels. */
const linuxWidths = [16, 32, 48, 64, 128, 256, 512];

const here = import.meta.dirname;
const program = findChromium();
if (program === null) throw new Error('no Chromium was found: node build/setup/chromium.mjs installs or names one');

const drawing = readFileSync(join(here, 'icon.svg'), 'utf8');
const images = new Map<number, Uint8Array>();
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
try {
  for (const width of new Set([...linuxWidths, ...Object.values(icnsImages)])) {
    const page = await browser.newPage({ viewport: { width, height: width } });
    await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw }</style>${drawing}`);
    images.set(width, await page.screenshot({ omitBackground: true }));
    await page.close();
  }
} finally {
  await browser.close();
}

const imageOf = (width: number): Uint8Array => {
  const image = images.get(width);
  if (image === undefined) throw new Error(`no image of ${width} pixels was drawn`);
  return image;
};
mkdirSync(join(here, 'icons'), { recursive: true });
for (const width of linuxWidths) writeFileSync(join(here, 'icons', `${width}x${width}.png`), imageOf(width));
writeFileSync(join(here, 'icon.icns'), icns(imageOf));
