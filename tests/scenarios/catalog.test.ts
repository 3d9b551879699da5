import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtureScript, manifest } from '../../runtime/contract/index.ts';
import { formatCrashPoint, parseCrashPoint } from '../../runtime/crash/index.ts';
import { openReleases } from '../../runtime/release/index.ts';
import type { Claim } from '../../scenarios/claim.ts';
import { findScenario, scenarios } from '../../scenarios/index.ts';
import { TemporaryFolder } from '../support/temporary-folder.ts';
import { wrongFacts } from './order-facts.ts';

const relays = join(import.meta.dirname, '../../scenarios/relays');

describe('the catalogue of scenarios', () => {
  it('has the scenarios of this issue, each once', () => {
    expect(scenarios.map(({ name }) => name)).toEqual([
      'complete',
      'crash-after-checkpoint',
      'crash-during-safe',
      'crash-during-uncertain',
      'replay-safe',
      'revoked',
      'revoked-mid-run',
      'journaled-tool',
      'poison',
      'changed-source',
      'nondeterministic',
      'slow-drain',
    ]);
  });

  it('finds one by name, and names them all when there is none', () => {
    expect(findScenario('poison').name).toBe('poison');
    expect(() => findScenario('posion')).toThrow(
      expect.objectContaining({ code: 'not-found', next: expect.stringContaining('poison, changed-source') as string }),
    );
  });

  it.each(scenarios)('$name says what it expects, each piece of evidence under a name of its own', ({ expects }) => {
    const names = expects.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, expected } of expects) expect(name.length * expected.length).toBeGreaterThan(0);
  });

  it.each(scenarios)('$name plans its kills in the words of crash points', ({ crashPlan }) => {
    for (const point of crashPlan) expect(formatCrashPoint(parseCrashPoint(point))).toBe(point);
  });

  it.each(scenarios)('$name has no piece of evidence that holds of a run that went otherwise', ({ expects }) => {
    const wrong = wrongFacts();
    const facts = {
      ...wrong,
      refusal: null,
      before: { ...wrong, operations: [] },
      after: wrong,
      killed: wrong,
      plain: wrong,
      line: 'index.ts:0',
      asked: wrong.run,
    };
    // The list is made of the claims themselves.
    const holding = (expects as readonly Claim<typeof facts>[]).filter(({ look }) => look(facts).ok);
    expect(holding.map(({ name }) => name)).toEqual([]);
  });
});

describe('the relays', () => {
  it('are those that the scenarios play', () => {
    expect(readdirSync(relays).sort()).toEqual([...new Set(scenarios.map(({ relay }) => relay))].sort());
  });

  it.each(readdirSync(relays))('%s has a manifest under its own name and publishes', async (name) => {
    const parsed = manifest.parse(JSON.parse(readFileSync(join(relays, name, 'relay.json'), 'utf8')));
    expect(parsed.name).toBe(name);
    using data = new TemporaryFolder();
    const release = await openReleases({ folder: data.path }).publish(join(relays, name));
    expect(release.manifest).toEqual(parsed);
  });

  it.each(readdirSync(relays))('%s has scripts that its agents can play', (name) => {
    const fixtures = join(relays, name, 'fixtures');
    for (const file of existsSync(fixtures) ? readdirSync(fixtures) : []) {
      expect(() => fixtureScript.parse(JSON.parse(readFileSync(join(fixtures, file), 'utf8')))).not.toThrow();
    }
  });
});
