import type { Page, WebSocketRoute } from '@playwright/test';
import { LabPage } from '../support/lab-page.ts';
import { expect, goTo, test } from './lab-fixture.ts';
import { clientOf, pacedRelay, startPaced } from './lab-client.ts';

/** Shows the events of a run, by its address. */
async function showEvents(page: Page, run: string): Promise<void> {
  await goTo(page, `#/run/${run}?tab=events`);
  await expect(page.getByRole('list', { name: 'Events of the run' })).toBeVisible();
}

function eventRows(page: Page, type: string) {
  return page.getByRole('list', { name: 'Events of the run' }).getByRole('listitem').filter({ hasText: type });
}

/** Every event of the run is there, each once: none is missing between the first and the last. */
async function expectAllEvents(page: Page, lastSequence: number): Promise<void> {
  const events = page.getByRole('region', { name: 'Events', exact: true });
  await expect(events.getByRole('status')).toContainText(`${lastSequence} events`);
  await expect(events.getByRole('status')).toContainText('no gap');
}

test('a reload in the middle of a run loses no event and repeats none', async ({ lab, dataDir }) => {
  using relay = pacedRelay();
  const client = await clientOf(dataDir);
  const { id } = await startPaced(client, relay, { steps: 200, ms: 20 });
  await showEvents(lab, id);
  await expect(eventRows(lab, 'operation.checkpointed').first()).toBeVisible();
  await lab.reload();
  await expect(lab.getByRole('list', { name: 'Events of the run' })).toBeVisible();
  const { run } = await client.call('run/settled', { run: id });
  expect(run.state).toBe('succeeded');
  await expectAllEvents(lab, run.lastSequence);
  await client.close();
});

test('a lost connection is told, and what happened meanwhile comes with the next one', async ({
  lab,
  dataDir,
  host,
}) => {
  test.skip(host === 'desktop', 'a window has a message port, which is lost only with its page: see the reload');
  const sockets = new Set<WebSocketRoute>();
  let isCut = false;
  await lab.routeWebSocket(/\/api$/, (socket) => {
    if (isCut) return void socket.close({ code: 4000, reason: 'cut for a test' });
    socket.connectToServer();
    sockets.add(socket);
  });
  await lab.reload();
  await expect(lab.getByRole('contentinfo').getByRole('status')).toHaveText(/connected$/);
  using relay = pacedRelay();
  const client = await clientOf(dataDir);
  const { id } = await startPaced(client, relay, { steps: 150, ms: 20 });
  await showEvents(lab, id);
  await expect(eventRows(lab, 'operation.checkpointed').first()).toBeVisible();
  isCut = true;
  for (const socket of sockets) await socket.close({ code: 4000, reason: 'cut for a test' });
  await expect(lab.getByText('No connection to the lab.')).toBeVisible();
  await expect(lab.getByText(/Cut for a test/)).toBeVisible();
  // What is shown stays: nothing is blanked.
  await expect(lab.getByRole('list', { name: 'Events of the run' })).toBeVisible();
  const { run } = await client.call('run/settled', { run: id });
  isCut = false;
  await lab.getByRole('button', { name: 'Connect now' }).click();
  await expect(lab.getByText('No connection to the lab.')).toBeHidden();
  await expectAllEvents(lab, run.lastSequence);
  await client.close();
});

test('two pages show the same run, and a command given in one is seen in the other', async ({ lab, dataDir, host }) => {
  test.skip(host === 'desktop', 'the app has one window for a data folder');
  using relay = pacedRelay();
  const client = await clientOf(dataDir);
  const { id } = await startPaced(client, relay, { steps: 1000, ms: 20 });
  const other = await lab.context().newPage();
  await other.goto(lab.url());
  for (const page of [lab, other]) {
    await goTo(page, `#/run/${id}`);
    await expect(
      page
        .getByRole('region', { name: /^Run / })
        .getByText(/running$/)
        .first(),
    ).toBeVisible();
  }
  await lab.getByRole('button', { name: 'Kill now' }).click();
  for (const page of [lab, other]) {
    await expect(
      page
        .getByRole('region', { name: /^Run / })
        .getByText(/interrupted$/)
        .first(),
    ).toBeVisible();
  }
  await other.getByRole('button', { name: /Recover same run/ }).click();
  for (const page of [lab, other]) {
    await expect(
      page
        .getByRole('region', { name: /^Run / })
        .getByText(/running$/)
        .first(),
    ).toBeVisible();
  }
  await client.close();
});

test('a run of 10,000 operations opens, can be searched, and is followed to its end', async ({ lab, dataDir }) => {
  test.setTimeout(240_000);
  using relay = pacedRelay();
  const client = await clientOf(dataDir);
  const { id } = await startPaced(client, relay, { steps: 10_000, ms: 0 });
  await client.call('run/settled', { run: id });
  await goTo(lab, `#/run/${id}?tab=operations`);
  const grid = lab.getByRole('grid', { name: 'Operations' });
  await expect(grid).toHaveAttribute('aria-rowcount', '10001', { timeout: 60_000 });
  // Few of them are in the document.
  expect(await grid.getByRole('row').count()).toBeLessThan(200);
  await grid.focus();
  await grid.press('End');
  await expect(grid.getByRole('row').filter({ hasText: '9999' })).toBeVisible();
  await lab.getByRole('tab', { name: 'Timeline' }).click();
  await expect(lab.getByRole('listbox', { name: /Operations on the timeline/ })).toBeVisible();
  await client.close();
});

test('a page whose lab was started again says that it has a new address', async ({ page, dataDir, host }) => {
  test.skip(host === 'desktop', 'a window goes with its host');
  const first = await LabPage.start(['--data-dir', dataDir]);
  await page.goto(first.said.url);
  await expect(page.getByRole('contentinfo').getByRole('status')).toHaveText(/connected$/);
  await first.end('SIGTERM');
  await expect(page.getByText('No connection to the lab.')).toBeVisible();
  await using again = await LabPage.start(['--data-dir', dataDir, '--port', new URL(first.origin).port]);
  expect(again.origin).toBe(first.origin);
  await expect(page.getByText(/open the one that it printed/)).toBeVisible();
});
