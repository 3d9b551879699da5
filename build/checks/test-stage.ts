import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import type { Tally } from './tally.ts';

const reportFile = 'test-results/vitest.json';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/**
 * Counts of a report. A file that failed without a failed test (it could not be loaded, or a hook threw) counts as one
 * failure, and so does a run that ended badly for a reason that no test shows, such as an error nobody caught.
 */
export function tallyOf(report: Report, exitCode: number | null): Tally {
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = report.numFailedTests + brokenFiles;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function readReport(): Report | null {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8')) as Report;
  } catch {
    return null;
  }
}

/** Runs the tests with their normal output and reads the counts from the report file beside it. */
export function runTests(): Tally {
  rmSync(reportFile, { force: true });
  const begun = performance.now();
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportFile}`,
    ],
    { stdio: 'inherit' },
  );
  const report = readReport();
  const tally = report ? tallyOf(report, status) : { passed: 0, failed: 1, skipped: 0 };
  const word = tally.failed > 0 ? 'FAILED' : 'ok';
  console.log(`${'tests'.padEnd(10)} ${word.padEnd(6)} ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  if (!report) console.log('The test runner ended without a report; its output is above.');
  return tally;
}
