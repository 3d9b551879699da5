import { describe, expect, it } from 'vitest';
import type { LabClient, ScenarioProgress } from '../../runtime/contract/index.ts';
import { isLive } from '../../runtime/core/index.ts';
import { StandingHost } from '../support/standing-host.ts';

/** Resolves with the first progress that fits, of what is there and what comes. */
function progress(client: LabClient, fits: (one: ScenarioProgress) => boolean): Promise<ScenarioProgress> {
  return new Promise((resolve, reject) => {
    const stop = client.follow(
      'scenario/progress',
      {},
      (one) => {
        if (!fits(one)) return;
        stop();
        resolve(one);
      },
      reject,
    );
  });
}

/** Resolves when a permission is withdrawn. */
function withdrawn(client: LabClient): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = client.follow(
      'lab/permissions',
      {},
      (all) => {
        if (all.every(({ granted }) => granted)) return;
        stop();
        resolve();
      },
      reject,
    );
  });
}

const keeper = 'keeper';

describe('scenarios in a living host', () => {
  it('show their evidence live, with the runs that it was found in, and the whole of it to who looks later', async () => {
    await using host = await StandingHost.start();
    const { client } = host;
    const seen: ScenarioProgress[] = [];
    const proved = progress(client, (one) => {
      seen.push(one);
      return one.state === 'proved';
    });
    const result = await client.call('scenario/run', { name: 'crash-after-checkpoint' });
    const last = await proved;
    expect(last).toMatchObject({ scenario: 'crash-after-checkpoint', evidence: result.evidence });
    expect(last.runs[0]).toBe(result.runId);
    expect((last.finishedAt ?? 0) - (last.startedAt ?? Infinity)).toBeGreaterThan(0);
    const known = (one: ScenarioProgress): number => one.evidence.filter(({ ok }) => ok !== null).length;
    expect(seen.some((one) => one.state === 'playing' && known(one) > 0 && known(one) < one.evidence.length)).toBe(
      true,
    );
    expect(seen.every((one) => one.evidence.length === result.evidence.length)).toBe(true);
    expect(await progress(client, () => true)).toEqual(last);
  });

  it('that are cancelled leave no run alive and no permission withdrawn, and what is queued is dropped', async () => {
    await using host = await StandingHost.start();
    const { client } = host;
    const first = client.call('scenario/run', { name: 'revoked-mid-run' });
    const joined = client.call('scenario/run', { name: 'revoked-mid-run' });
    const queued = client.call('scenario/run', { name: 'complete' });
    const ends = Promise.allSettled([first, joined, queued]);
    const at = await progress(client, ({ scenario, runs }) => scenario === 'revoked-mid-run' && runs.length > 0);
    expect(at.runs).toHaveLength(1);
    await withdrawn(client);
    await client.call('scenario/cancel', { name: 'complete' });
    await client.call('scenario/cancel', { name: 'revoked-mid-run' });
    expect(await ends).toMatchObject([
      { status: 'rejected', reason: { code: 'cancelled' } },
      { status: 'rejected', reason: { code: 'cancelled' } },
      { status: 'rejected', reason: { code: 'cancelled' } },
    ]);
    const runs = await client.call('run/list', { before: null, limit: 100, relay: null, state: null });
    expect(runs.filter(({ id, state }) => id !== keeper && isLive(state))).toEqual([]);
    expect(runs.map(({ id }) => id)).not.toHaveLength(1);
    const permissions = await client.call('permission/list', {});
    expect(permissions.filter(({ granted }) => !granted)).toEqual([]);
    expect((await progress(client, ({ scenario }) => scenario === 'complete')).state).toBe('cancelled');
    await expect(client.call('scenario/cancel', { name: 'complete' })).rejects.toMatchObject({ code: 'wrong-state' });
    await expect(client.call('scenario/cancel', { name: 'nowhere' })).rejects.toMatchObject({ code: 'not-found' });
    expect(await client.call('scenario/run', { name: 'complete' })).toMatchObject({ ok: true });
  });

  it('kill a run that would recover by itself', async () => {
    await using host = await StandingHost.start();
    const { client } = host;
    const ended = expect(client.call('scenario/run', { name: 'poison' })).rejects.toMatchObject({ code: 'cancelled' });
    const { runs } = await progress(client, (one) => one.scenario === 'poison' && one.runs.length > 0);
    await client.call('scenario/cancel', { name: 'poison' });
    await ended;
    const { run } = await client.call('run/settled', { run: runs[0] ?? '' });
    expect(['cancelled', 'failed']).toContain(run.state);
  });
});
