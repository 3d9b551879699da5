import { describe, expect, it } from 'vitest';
import { WriteBacklog } from '../../../runtime/engine/write-backlog.ts';

describe('a relay that says more than the ledger takes in', () => {
  it('is held back at 2,000 open writes and goes on at 500, once each', async () => {
    const calls: string[] = [];
    const backlog = new WriteBacklog(() => ({ pause: () => calls.push('pause'), resume: () => calls.push('resume') }));
    const writes = Array.from({ length: 2500 }, () => Promise.withResolvers<void>());
    const counted = writes.map(({ promise }) => backlog.count(promise));
    expect(calls).toEqual(['pause']);
    for (const write of writes.slice(0, 1999)) write.resolve();
    await Promise.all(counted.slice(0, 1999));
    expect(calls).toEqual(['pause']);
    writes[1999]?.resolve();
    await counted[1999];
    expect(calls).toEqual(['pause', 'resume']);
    for (const write of writes) write.resolve();
    await Promise.all(counted);
    expect(calls).toEqual(['pause', 'resume']);
  });

  it('goes on also when its writes are refused', async () => {
    const calls: string[] = [];
    const backlog = new WriteBacklog(() => ({ pause: () => calls.push('pause'), resume: () => calls.push('resume') }));
    await Promise.allSettled(Array.from({ length: 2000 }, () => backlog.count(Promise.reject(new Error('refused')))));
    expect(calls).toEqual(['pause', 'resume']);
  });
});
