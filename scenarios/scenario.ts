import type { Expectation } from './claim.ts';
import type { FactSources } from './run-facts.ts';
import type { LabClient } from '../runtime/contract/index.ts';
import type { Stage } from './stage.ts';

/** A rehearsal: what is done to a relay, and what must then be found. */
export interface Scenario {
  readonly name: string;
  /** What it shows, in one line. */
  readonly title: string;
  /** The folder of `scenarios/relays`. */
  readonly relay: string;
  readonly crashPlan: readonly string[];
  /** Everything that is looked at, in that order. Names are unique. */
  readonly expects: readonly Expectation[];
  play(this: void, stage: Stage): Promise<void>;
}

/** What a scenario needs of the host that runs it. */
export interface ScenarioLab extends FactSources {
  readonly client: LabClient;
  /** A writable copy of `scenarios/relays/NAME`, for this scenario run alone. Stays until its runs are over. */
  relayFolder(this: void, name: string): string;
}

/** A piece of evidence as it becomes known. `actual` and `ok` are null while it is pending. */
export interface EvidenceProgress extends Expectation {
  readonly actual: string | null;
  readonly ok: boolean | null;
}
