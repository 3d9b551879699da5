import type { Feeds, ServiceState } from '../../runtime/contract/index.ts';
import type { Clock } from '../../runtime/core/index.ts';
import type { OpenLedger } from '../../runtime/store/index.ts';
import type { OpenSupervisor } from '../../runtime/supervisor/index.ts';
import type { DataFolder } from '../data-folder.ts';
import type { Permissions } from '../permissions.ts';
import { followLedger } from './event-follow.ts';
import { followOutput } from './output-follow.ts';
import { followRuns } from './runs-follow.ts';
import { followStatus } from './status-follow.ts';

export interface FeedSources {
  readonly ledger: OpenLedger;
  readonly supervisor: Pick<OpenSupervisor, 'onOutput'>;
  readonly folder: DataFolder;
  readonly clock: Clock;
  readonly permissions: Permissions;
  readonly vault: Feeds['lab/vault'];
  services(this: void): ServiceState[];
}

type LabFeed = 'run/events' | 'run/output' | 'lab/runs' | 'lab/status' | 'lab/permissions' | 'lab/vault';

/** What a host pushes of its runs and of itself. */
export function labFeeds({
  ledger,
  supervisor,
  folder,
  clock,
  permissions,
  vault,
  services,
}: FeedSources): Pick<Feeds, LabFeed> {
  return {
    'run/events': followLedger(ledger),
    'run/output': followOutput({
      ledger,
      runsFolder: folder.runs,
      onEvent: (listener) => ledger.onEvent(listener),
      onOutput: (listener) => supervisor.onOutput(listener),
    }),
    'lab/runs': followRuns(ledger),
    'lab/status': followStatus({ ledger, ledgerFile: folder.ledger, clock, services }),
    'lab/permissions': permissions.follow,
    'lab/vault': vault,
  };
}
