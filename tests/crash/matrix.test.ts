import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killTargets, sampleCases } from '../../runtime/crash/index.ts';
import { openMatrixLab, type MatrixLab } from './matrix-lab.ts';
import { matrixRelays } from './matrix-relays.ts';

/** What of the matrix belongs to every test run: so many kills a relay. `npm run matrix` plays them all. */
const perRelay = { relay: 8, host: 3, both: 3 } as const;
const seed = 20_261;

describe('the crash matrix, in part', () => {
  let lab: MatrixLab;
  beforeAll(async () => {
    lab = await openMatrixLab();
  });
  afterAll(() => lab[Symbol.asyncDispose]());

  const rows = killTargets.flatMap((target) => matrixRelays.map((relay) => ({ target, relay, name: relay.name })));
  it.each(rows)('$name keeps every invariant, $target killed', { timeout: 120_000 }, async ({ target, relay }) => {
    const { golden, cases } = await lab.plan(relay, target);
    const results = [];
    for (const one of sampleCases(cases, perRelay[target], seed)) results.push(await lab.play(relay, golden, one));
    expect(results.length).toBe(Math.min(perRelay[target], cases.length));
    expect(results.filter(({ missed, broken }) => missed.length + broken.length > 0)).toEqual([]);
  });
});
