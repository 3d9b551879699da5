import { LabError } from '../runtime/core/index.ts';
import { changedSource } from './rehearsals/changed-source.ts';
import { complete } from './rehearsals/complete.ts';
import { crashAfterCheckpoint } from './rehearsals/crash-after-checkpoint.ts';
import { crashDuringSafe } from './rehearsals/crash-during-safe.ts';
import { crashDuringUncertain } from './rehearsals/crash-during-uncertain.ts';
import { journaledTool } from './rehearsals/journaled-tool.ts';
import { nondeterministic } from './rehearsals/nondeterministic.ts';
import { poison } from './rehearsals/poison.ts';
import { replaySafe } from './rehearsals/replay-safe.ts';
import { revokedMidRun } from './rehearsals/revoked-mid-run.ts';
import { revoked } from './rehearsals/revoked.ts';
import { slowDrain } from './rehearsals/slow-drain.ts';
import type { Scenario } from './scenario.ts';

/** All scenarios, in the order in which they tell their story. */
export const scenarios: readonly Scenario[] = [
  complete,
  crashAfterCheckpoint,
  crashDuringSafe,
  crashDuringUncertain,
  replaySafe,
  revoked,
  revokedMidRun,
  journaledTool,
  poison,
  changedSource,
  nondeterministic,
  slowDrain,
];

/** Throws `not-found` naming those that there are. */
export function findScenario(name: string): Scenario {
  const found = scenarios.find((scenario) => scenario.name === name);
  if (found !== undefined) return found;
  const known = scenarios.map((scenario) => scenario.name).join(', ');
  throw new LabError('not-found', `there is no scenario ${JSON.stringify(name)}`, `There are: ${known}`);
}
