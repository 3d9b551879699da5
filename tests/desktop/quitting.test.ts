import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findDataFolder } from '../../main/data-folder.ts';
import { openReadingSession } from '../../main/lab-session.ts';
import { launchDesktop, startDesktop } from '../support/desktop-host.ts';
import { isAlive } from '../support/process-life.ts';
import { clientOf, DataDir, endlessRelay, standIn, startEndless } from './desktop-lab.ts';

async function stateOf(dataDir: string, run: string): Promise<string> {
  const session = await openReadingSession(findDataFolder(dataDir));
  try {
    return (await session.client.call('run/show', { run })).run.state;
  } finally {
    await session.close();
  }
}

describe('quitting the desktop host', () => {
  it('asks nobody while no run lives, and lets the folder go', async () => {
    using folder = new DataDir();
    await using desktop = await launchDesktop(folder);
    await desktop.quit();
    expect(await desktop.ended).toEqual({ code: 0, signal: null });
    expect(existsSync(join(folder.dataDir, 'host.json'))).toBe(false);
  }, 60_000);

  it('asks while a run lives, keeps it when the answer is to stay, and else ends it as interrupted', async () => {
    using folder = new DataDir();
    using relay = endlessRelay();
    await using desktop = await launchDesktop(folder);
    const client = await clientOf(folder.dataDir);
    await startEndless(client, relay, 'live');

    await desktop.quit();
    const asked = await desktop.answerDialog({ response: 1 });
    expect(asked).toMatchObject({
      message: 'One run is live',
      detail: expect.stringContaining('interrupted') as string,
    });
    expect(await client.call('run/show', { run: 'live' })).toMatchObject({ run: { state: 'running' } });

    const { attempts } = await client.call('run/show', { run: 'live' });
    await desktop.quit();
    await desktop.answerDialog({ response: 0 });
    expect(await desktop.ended).toEqual({ code: 0, signal: null });
    expect(isAlive(attempts[0]?.process?.pid ?? 0)).toBe(false);
    expect(await stateOf(folder.dataDir, 'live')).toBe('interrupted');
  }, 60_000);

  it.runIf(process.platform !== 'darwin')(
    'is what closing the window does, with the same question',
    async (context) => {
      using folder = new DataDir();
      using relay = endlessRelay();
      await using desktop = await launchDesktop(folder);
      const host = standIn(desktop, context);
      const client = await clientOf(folder.dataDir);
      await startEndless(client, relay, 'live');
      await host.ask('close-window', null);
      await host.answerDialog({ response: 1 });
      expect(await host.ask('window', null)).toMatchObject({ count: 1 });
      await host.ask('close-window', null);
      await host.answerDialog({ response: 0 });
      expect(await host.ended).toEqual({ code: 0, signal: null });
    },
    60_000,
  );

  it.runIf(process.platform !== 'darwin')(
    'leaves in order when its window is closed while it still loads',
    async (context) => {
      using folder = new DataDir();
      await using desktop = await startDesktop(folder);
      const host = standIn(desktop, context);
      const hasWindow = (): Promise<boolean> =>
        host.ask('window', null).then(
          () => true,
          () => false,
        );
      while (!(await hasWindow()));
      await host.ask('close-window', null);
      expect(await host.ended, host.stderr).toEqual({ code: 0, signal: null });
      expect(host.told).not.toContainEqual(expect.objectContaining({ what: 'shown' }));
    },
    60_000,
  );

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)(
    'asks nobody at %s, and ends live runs as interrupted',
    async (signal, code) => {
      using folder = new DataDir();
      using relay = endlessRelay();
      await using desktop = await launchDesktop(folder);
      await startEndless(await clientOf(folder.dataDir), relay, 'live');
      desktop.signal(signal);
      expect(await desktop.ended).toEqual({ code, signal: null });
      expect(await stateOf(folder.dataDir, 'live')).toBe('interrupted');
    },
    60_000,
  );
});
