import { createBirpc } from 'birpc';
import type { z } from 'zod';
import { asLabError, LabError } from '../core/index.ts';
import { calls, type CallName, type FeedName, type Feeds, type Handlers, type LabClient } from './client-api.ts';
import {
  clientProtocol,
  rpcFrame,
  type ClientSide,
  type FramePort,
  type HostSide,
  type RpcFrame,
} from './client-frames.ts';
import { feeds } from './feeds.ts';
import { describeIssues } from './schema-issues.ts';

/** What answers the client API. A call or feed that is not there is refused: a reader of the ledger has few. */
export interface ClientService {
  readonly handlers: Partial<Handlers>;
  readonly feeds: Partial<Feeds>;
}

/** The client of a service in the same process: same checks of what it takes, no copies. */
export function localClient({ handlers, feeds: served }: ClientService): LabClient {
  return {
    call: (name, input) => invoke(handlers, name, input) as Promise<never>,
    follow(name, input, listener, onEnd) {
      let stop = (): void => undefined;
      try {
        const fail = (error: unknown): void => onEnd?.(asLabError(error));
        stop = startFeed(served, name, input, { give: listener, fail });
      } catch (thrown) {
        onEnd?.(asLabError(thrown));
      }
      return stop;
    },
    close: () => Promise.resolve(),
  };
}

/** Serves one connection until it ends. A frame that is none of the protocol ends it. */
export function serveClient(port: FramePort, { handlers, feeds: served }: ClientService): void {
  const follows = new Map<string, () => void>();
  let ended = false;

  function stopFollow(follow: string): void {
    follows.get(follow)?.();
    follows.delete(follow);
  }

  const host: HostSide = {
    hello: () => Promise.resolve(clientProtocol),
    call: (name, input) => invoke(handlers, name, input).catch(throwData),
    follow(given, feed, input) {
      const follow = String(given);
      stopFollow(follow);
      const fail = (error: unknown): void => {
        stopFollow(follow);
        if (!ended) void client.$callEvent('ended', follow, asLabError(error).toData()).catch(() => undefined);
      };
      try {
        const give = (item: unknown): Promise<void> => client.$call('item', follow, item);
        const stop = startFeed(served, feed, input, { give, fail });
        if (ended) stop();
        else follows.set(follow, stop);
      } catch (thrown) {
        fail(thrown);
      }
    },
    unfollow: (follow) => stopFollow(String(follow)),
  };
  const client = createBirpc<ClientSide, HostSide, false>(host, {
    proxify: false,
    timeout: -1,
    bind: 'functions',
    post: (frame: RpcFrame) => port.send(frame),
    on: (listener) =>
      port.onFrame((raw) => {
        if (rpcFrame.safeParse(raw).success) listener(raw);
        else port.end();
      }),
  });
  port.onEnd((reason) => {
    ended = true;
    for (const follow of [...follows.keys()]) stopFollow(follow);
    client.$close(new LabError('process-gone', `the client is gone: ${reason}`));
  });
}

async function invoke(handlers: Partial<Handlers>, name: unknown, input: unknown): Promise<unknown> {
  if (!isCallName(name)) throw new LabError('not-supported', `there is no call ${JSON.stringify(name)}`);
  const taken = accept(name, calls[name].takes, input);
  const handler = handlers[name] as ((taken: unknown) => Promise<unknown>) | undefined;
  if (handler === undefined) throw new LabError('not-supported', `${name} is not served by this host`);
  return handler(taken);
}

function startFeed(
  served: Partial<Feeds>,
  name: unknown,
  input: unknown,
  outlet: { give(item: unknown): void | Promise<void>; fail(error: unknown): void },
): () => void {
  if (!isFeedName(name)) throw new LabError('not-supported', `there is no feed ${JSON.stringify(name)}`);
  const taken = accept(name, feeds[name].takes, input);
  const feed = served[name] as ((taken: unknown, outlet: unknown) => () => void) | undefined;
  if (feed === undefined) throw new LabError('not-supported', `${name} is not served by this host`);
  return feed(taken, outlet);
}

function accept(name: string, schema: z.ZodType, input: unknown): unknown {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issues = describeIssues(parsed.error.issues, input).join('; ');
  throw new LabError('invalid-input', `${name} cannot take this: ${issues}`);
}

function isCallName(name: unknown): name is CallName {
  return typeof name === 'string' && Object.hasOwn(calls, name);
}

function isFeedName(name: unknown): name is FeedName {
  return typeof name === 'string' && Object.hasOwn(feeds, name);
}

/** Errors cross as plain data: a port may carry nothing else. */
function throwData(thrown: unknown): never {
  // eslint-disable-next-line @typescript-eslint/only-throw-error
  throw asLabError(thrown).toData();
}
