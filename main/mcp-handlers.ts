import type { Feeds, Gives, Handlers, RelayRow } from '../runtime/contract/index.ts';
import { LabError } from '../runtime/core/index.ts';
import { describePlace, type OpenPlatform } from '../runtime/platform/index.ts';
import type { Releases } from '../runtime/release/index.ts';
import { openPump } from './feeds/pump.ts';

export interface McpParts {
  readonly platform: Pick<OpenPlatform, 'mcpStates' | 'inspectMcp'>;
  readonly releases: Pick<Releases, 'check'>;
  relays(this: void): Promise<readonly RelayRow[]>;
}

interface McpService {
  readonly handlers: Pick<Handlers, 'mcp/list' | 'mcp/inspect' | 'mcp/inspect-stop'>;
  readonly feeds: Pick<Feeds, 'lab/mcp'>;
  /** To be called when there are other relays than before. */
  relaysChanged(this: void): void;
  /** Ends inspections that are under way. */
  close(this: void): Promise<void>;
}

type Row = Gives<'mcp/list'>[number];

/** For each follower, at most four times a second. */
const everyMs = 250;

/** The MCP servers of the relays that are known here: as they are described, as they stand, and what they offer. */
export function openMcp({ platform, releases, relays }: McpParts): McpService {
  const { mcpStates } = platform;
  const inspections = new Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>();
  const followers = new Set<() => void>();
  const wakeAll = (): void => followers.forEach((wake) => wake());
  mcpStates.onChange(wakeAll);

  async function list(): Promise<Row[]> {
    return (await relays()).flatMap(({ name, folder, manifest }) =>
      Object.entries(manifest?.mcp ?? {}).map(([server, described]): Row => {
        const isIts = (one: { relay: string; server: string }): boolean => one.relay === name && one.server === server;
        const { secrets, ...place } = describePlace(described);
        const failure = mcpStates.failures().find(isIts);
        return {
          ...{ relay: name, folder, server, ...place, secrets: [...secrets] },
          allowed: described.tools ?? null,
          sessions: mcpStates
            .sessions()
            .filter(isIts)
            .map(({ run, attempt, state, since, pid }) => ({ run, attempt, state, since, pid })),
          failure:
            failure === undefined
              ? null
              : { run: failure.run, at: failure.at, message: failure.message, next: failure.next },
        };
      }),
    );
  }

  return {
    handlers: {
      'mcp/list': list,
      async 'mcp/inspect'({ folder, server }) {
        const key = JSON.stringify([folder, server]);
        if (inspections.has(key)) {
          throw new LabError('wrong-state', `the MCP server ${server} is being asked already`, 'Wait, or stop that.');
        }
        const stop = new AbortController();
        const done = Promise.withResolvers<void>();
        inspections.set(key, { stop, done: done.promise });
        try {
          const { folder: place, manifest } = await releases.check(folder);
          const { tools, ...words } = await platform.inspectMcp({
            ...{ folder: place, manifest, server, signal: stop.signal },
          });
          return { ...words, tools: [...tools] };
        } finally {
          inspections.delete(key);
          done.resolve();
        }
      },
      'mcp/inspect-stop'({ folder, server }) {
        inspections.get(JSON.stringify([folder, server]))?.stop.abort(new Error('somebody stopped it'));
        return Promise.resolve(null);
      },
    },
    feeds: {
      'lab/mcp': (_nothing, outlet) => {
        const pump = openPump({
          everyMs,
          work: async () => outlet.give(await list()),
          release: () => void followers.delete(pump.wake),
          fail: (error) => outlet.fail(error),
        });
        followers.add(pump.wake);
        pump.wake();
        return pump.stop;
      },
    },
    relaysChanged: wakeAll,
    async close() {
      const ending = [...inspections.values()];
      for (const { stop } of ending) stop.abort(new Error('the host is ending'));
      await Promise.all(ending.map(({ done }) => done));
    },
  };
}
