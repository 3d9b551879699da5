import { asLabError, type Run } from '../../runtime/contract/index.ts';
import { lab } from '../lab/lab.ts';
import { takeRuns, useLab } from './lab-store.ts';

const runPage = 200;

/** Follows what every view needs for as long as the page lives, and reads the rest each time that the host answers. */
export function startMirror(): void {
  lab.follow('lab/runs', {}, takeRuns);
  lab.follow('lab/status', {}, (status) => useLab.setState({ status }));
  lab.follow('lab/permissions', {}, (permissions) => useLab.setState({ permissions }));
  lab.follow('lab/vault', {}, (vault) => useLab.setState({ vault }));
  lab.follow('scenario/progress', {}, (one) =>
    useLab.setState(({ progress }) => ({ progress: { ...progress, [one.scenario]: one } })),
  );
  useLab.subscribe(({ connection }, before) => {
    if (connection.state === 'open' && before.connection.state !== 'open') void readLab();
  });
}

/** Reads what has no feed. Rows of runs come after the feed was followed, so that none is missed between. */
async function readLab(): Promise<void> {
  try {
    const [info, settings, scenarios, relays, runs] = await Promise.all([
      lab.call('lab/info', {}),
      lab.call('settings/get', {}),
      lab.call('scenario/list', {}),
      lab.call('relay/list', {}),
      lab.call('run/list', { before: null, limit: runPage, relay: null, state: null }),
    ]);
    useLab.setState({ info, settings, scenarios, relays, loadError: null });
    takeListed(runs);
  } catch (thrown) {
    useLab.setState({ loadError: asLabError(thrown) });
  }
}

/** The oldest run that was listed: older ones that came another way, by a feed or as the run in view, leave gaps. */
let oldestListed: { createdAt: number; id: string } | null = null;

function takeListed(runs: readonly Run[]): void {
  takeRuns(runs);
  const last = runs.at(-1);
  if (last !== undefined) oldestListed = { createdAt: last.createdAt, id: last.id };
  useLab.setState({ hasOlderRuns: runs.length === runPage });
}

export async function readOlderRuns(): Promise<void> {
  takeListed(await lab.call('run/list', { before: oldestListed, limit: runPage, relay: null, state: null }));
}

export async function readRelays(): Promise<void> {
  useLab.setState({ relays: await lab.call('relay/list', {}) });
}
