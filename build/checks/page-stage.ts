import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import type { Tally } from './tally.ts';

const reportFile = 'test-results/page.json';

interface Report {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
}

/**
 * Counts of Playwright's report, which names each test that only passed the second time. A run that ended badly for a
 * reason that no test shows is one failure.
 */
export function pageTallyOf({ stats }: Report, exitCode: number | null): Tally {
  const { expected, unexpected: failed, flaky, skipped } = stats;
  return { passed: expected + flaky, failed: failed === 0 && exitCode !== 0 ? 1 : failed, skipped };
}

/** Runs the specs of the page in a real browser, with their normal output. */
export function runPageTests(): Tally {
  rmSync(reportFile, { force: true });
  const begun = performance.now();
  const words = ['node_modules/@playwright/test/cli.js', 'test', '-c', 'tests/page/playwright.config.ts'];
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
  let tally: Tally = { passed: 0, failed: 1, skipped: 0 };
  try {
    tally = pageTallyOf(JSON.parse(readFileSync(reportFile, 'utf8')) as Report, status);
  } catch {
    console.log('The browser tests ended without a report; their output is above.');
  }
  const word = tally.failed > 0 ? 'FAILED' : 'ok';
  console.log(`${'page'.padEnd(10)} ${word.padEnd(6)} ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  return tally;
}
