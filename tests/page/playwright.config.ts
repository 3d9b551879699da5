import { defineConfig } from '@playwright/test';
import type { HostKind } from './lab-fixture.ts';

/**
 * The page as a person uses it, in Chromium: every spec against the loopback page and against the desktop host. One
 * lab a test, in a data folder of its own.
 */
export default defineConfig<{ host: HostKind }>({
  testDir: '.',
  outputDir: '../../test-results/page',
  reporter: [['list'], ['json', { outputFile: '../../test-results/page.json' }]],
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: { trace: 'retain-on-failure', screenshot: 'only-on-failure' },
  projects: [
    { name: 'loopback', use: { host: 'loopback' } },
    { name: 'desktop', use: { host: 'desktop' } },
  ],
});
