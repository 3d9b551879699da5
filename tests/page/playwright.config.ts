import { defineConfig } from '@playwright/test';
import { findChromium } from '../../build/setup/chromium.mjs';
import type { HostOption } from './lab-fixture.ts';

const executablePath = findChromium();
if (executablePath === null)
  throw new Error('no Chromium was found: node build/setup/chromium.mjs installs or names one');
const flags = ['--disable-background-networking', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];

/**
 * The page as a person uses it, in Chromium: every spec against the loopback page and against the desktop host. One
 * lab a test, in a data folder of its own.
 */
export default defineConfig<HostOption>({
  testDir: '.',
  outputDir: '../../test-results/page',
  reporter: [['list'], ['json', { outputFile: '../../test-results/page.json' }]],
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // On a machine that is shared a browser may be starved; what only passes the second time is named in the end.
  retries: 1,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    launchOptions: { executablePath, args: flags },
  },
  projects: [
    { name: 'loopback', use: { host: 'loopback' } },
    { name: 'desktop', use: { host: 'desktop' } },
  ],
});
