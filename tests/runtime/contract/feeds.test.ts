import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resumeAfter } from '../../../runtime/contract/index.ts';

describe('resumeAfter', () => {
  it('goes on with the byte after the last one, in each stream of its own', () => {
    const chunk = fc.record({
      attempt: fc.constantFrom(1, 2, 3),
      stream: fc.constantFrom('stdout' as const, 'stderr' as const),
      bytes: fc.uint8Array({ maxLength: 100 }),
    });
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 30 }), (chunks) => {
        chunks.sort((a, b) => a.attempt - b.attempt);
        let input = { run: 'r', from: { attempt: 1, stdout: 0, stderr: 0 } };
        const given = new Map<string, number>();
        for (const { attempt, stream, bytes } of chunks) {
          const key = `${attempt}/${stream}`;
          const offset = given.get(key) ?? 0;
          given.set(key, offset + bytes.length);
          const data = Buffer.from(bytes).toString('base64');
          input = resumeAfter('run/output', input, { attempt, stream, offset, data });
          expect(input.from).toEqual({
            attempt,
            stdout: given.get(`${attempt}/stdout`) ?? 0,
            stderr: given.get(`${attempt}/stderr`) ?? 0,
          });
        }
      }),
    );
  });

  it('follows a feed of present states as it was followed first', () => {
    const status = { at: 1, runs: {}, operationsPerSecond: 0, ledgerBytes: 0, lastEvent: null, services: [] };
    expect(resumeAfter('lab/status', {}, status as never)).toEqual({});
  });
});
