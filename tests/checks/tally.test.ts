import { describe, expect, it } from 'vitest';
import { pageTallyOf } from '../../build/checks/page-stage.ts';
import { verdictLine } from '../../build/checks/tally.ts';
import { tallyOf } from '../../build/checks/test-stage.ts';

const report = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] };
const brokenFile = { status: 'failed', assertionResults: [] };
const failedFile = { status: 'failed', assertionResults: [{ status: 'failed' }] };

describe('the closing line of npm test', () => {
  it('leaves skipped tests out when there are none', () => {
    expect(verdictLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed');
  });

  it('names skipped tests when there are any', () => {
    expect(verdictLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped');
  });
});

describe('the count of a test report', () => {
  it('takes the numbers of the report when all went well', () => {
    expect(tallyOf({ ...report, numPendingTests: 1, numTodoTests: 1 }, 0)).toEqual({
      passed: 3,
      failed: 0,
      skipped: 2,
    });
  });

  it('counts a file that could not be loaded as a failure', () => {
    expect(tallyOf({ ...report, testResults: [brokenFile] }, 1).failed).toBe(1);
  });

  it('does not count a failed test twice', () => {
    expect(tallyOf({ ...report, numFailedTests: 1, testResults: [failedFile] }, 1).failed).toBe(1);
  });

  it('counts a bad exit that no test explains as a failure', () => {
    expect(tallyOf(report, 1).failed).toBe(1);
    expect(tallyOf(report, null).failed).toBe(1);
  });
});

describe('the count of the browser tests', () => {
  const stats = { expected: 5, unexpected: 0, flaky: 0, skipped: 2 };

  it('takes a test that passed when it was tried again as passed, and one that never did as failed', () => {
    expect(pageTallyOf({ stats: { ...stats, flaky: 1, unexpected: 1 } }, 1)).toEqual({
      ...{ passed: 6, failed: 1, skipped: 2 },
    });
  });

  it('counts a bad exit that no test explains as a failure', () => {
    expect(pageTallyOf({ stats }, 1).failed).toBe(1);
  });
});
