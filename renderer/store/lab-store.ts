import { create } from 'zustand';
import type {
  LabError,
  LabInfo,
  LabStatus,
  Permission,
  RelayRow,
  Run,
  ScenarioProgress,
  ScenarioRow,
  Settings,
  VaultState,
} from '../../runtime/contract/index.ts';
import type { Connection } from '../lab/resuming-client.ts';

/** What the lab says, mirrored: changed only by answers and feeds of the client API (store/mirror.ts). */
interface LabState {
  readonly connection: Connection;
  readonly info: LabInfo | null;
  readonly status: LabStatus | null;
  readonly settings: Settings | null;
  readonly runs: Readonly<Record<string, Run>>;
  /** Whether the ledger has older runs than those that are here. */
  readonly hasOlderRuns: boolean;
  readonly permissions: readonly Permission[];
  /** Names alone; a value never comes here. */
  readonly vault: VaultState | null;
  readonly scenarios: readonly ScenarioRow[];
  readonly progress: Readonly<Record<string, ScenarioProgress>>;
  readonly relays: readonly RelayRow[];
  /** What could not be read of all this, and why. */
  readonly loadError: LabError | null;
}

export const useLab = create<LabState>()(() => ({
  connection: { state: 'connecting' },
  info: null,
  status: null,
  settings: null,
  runs: {},
  hasOlderRuns: false,
  permissions: [],
  vault: null,
  scenarios: [],
  progress: {},
  relays: [],
  loadError: null,
}));

/** Takes rows of runs, whichever way they came: the row with the later event wins. */
export function takeRuns(rows: readonly Run[]): void {
  useLab.setState(({ runs }) => {
    const newer = rows.filter((row) => (runs[row.id]?.lastSequence ?? -1) < row.lastSequence);
    return newer.length === 0 ? {} : { runs: { ...runs, ...Object.fromEntries(newer.map((row) => [row.id, row])) } };
  });
}
