import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import type { TestContext } from 'vitest';
import { connectControl } from '../../main/control-socket.ts';
import { findDataFolder } from '../../main/data-folder.ts';
import { readHostRecord } from '../../main/host-record.ts';
import type { LabClient } from '../../runtime/contract/index.ts';
import type { DesktopHost } from '../support/desktop-host.ts';
import { RelayFolder } from '../support/relay-folder.ts';
import { StandInDesktop } from '../support/stand-in-desktop.ts';
import { TemporaryFolder } from '../support/temporary-folder.ts';

const waitMs = 20_000;

/** A data folder to come: the lab makes it. */
export class DataDir extends TemporaryFolder {
  readonly dataDir = join(this.path, 'data');
}

/** Resolves once the page is live on its port. */
export async function connected(page: Page): Promise<void> {
  await expect(page.getByRole('contentinfo').getByRole('status')).toHaveText(/connected$/, { timeout: waitMs });
}

/** A client of the lab beside its window, as a command is one. */
export async function clientOf(dataDir: string): Promise<LabClient> {
  const record = readHostRecord(findDataFolder(dataDir));
  if (record === null) throw new Error(`nobody hosts ${dataDir}`);
  return connectControl(record.socket, waitMs);
}

/** Starts a run that lives until it is ended; resolves when its process is at work. */
export async function startEndless(client: LabClient, relay: RelayFolder, id: string): Promise<void> {
  await client.call('run/start', { folder: relay.path, input: '{}', id, crashPlan: [], recovery: 'off' });
  const begun = Promise.withResolvers<undefined>();
  const stop = client.follow('run/events', { run: id, after: 0 }, (events) => {
    if (events.some(({ type }) => type === 'operation.intended')) begun.resolve(undefined);
  });
  await begun.promise.finally(stop);
}

export function endlessRelay(): RelayFolder {
  return new RelayFolder(`
import { DBOS } from '@dbos-inc/dbos-sdk';
async function endless() {
  await DBOS.runStep(() => new Promise((resolve) => setInterval(resolve, 1e9)), { name: 'endless' });
}
export const run = DBOS.registerWorkflow(endless);
`);
}

/** What is asked of the stand-in alone: Electron's own program gives no way to it. Skips the test there, and says so. */
export function standIn(host: DesktopHost, context: TestContext): StandInDesktop {
  if (host instanceof StandInDesktop) return host;
  return context.skip('only the stand-in for Electron can be asked for this');
}
