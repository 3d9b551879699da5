import { describe, expect, it } from 'vitest';
import type { ScenarioResult } from '../../runtime/contract/index.ts';
import { scenarios } from '../../scenarios/index.ts';
import { LabCommand } from '../support/lab-command.ts';

describe('scenario run', () => {
  it.each(scenarios)(
    '$name finds all its evidence in real processes',
    { timeout: 120_000 },
    async ({ name, expects }) => {
      using lab = new LabCommand();
      const { lines, code, stderr } = await lab.run(['scenario', 'run', name], { timeoutMs: 110_000 });
      const result = lines.at(-1) as unknown as ScenarioResult;
      expect(result.evidence.filter(({ ok }) => !ok)).toEqual([]);
      expect(result.evidence.map((one) => one.name)).toEqual(expects.map((one) => one.name));
      expect({ code, ok: result.ok }, stderr).toEqual({ code: 0, ok: true });
    },
  );
});
