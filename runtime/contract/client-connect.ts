import { createBirpc } from 'birpc';
import type { z } from 'zod';
import { LabError } from '../core/index.ts';
import { calls, type CallName, type FeedName, type Gives, type LabClient } from './client-api.ts';
import {
  clientProtocol,
  rpcFrame,
  type ClientSide,
  type FramePort,
  type HostSide,
  type RpcFrame,
} from './client-frames.ts';
import { labErrorData } from './error-schema.ts';
import { feeds } from './feeds.ts';
import { describeIssues } from './schema-issues.ts';

interface OpenFollow {
  readonly feed: FeedName;
  listener(item: unknown): void | Promise<void>;
  onEnd(error: LabError): void;
}

/**
 * The client of a service at the other end of a port. Resolves once the host has answered; rejects with `process-gone`
 * when the port ends before, and with `locked` when the host speaks another protocol. Every open call rejects with
 * `process-gone` as soon as the port ends, and every feed ends with it.
 */
export async function connectClient(port: FramePort): Promise<LabClient> {
  const follows = new Map<string, OpenFollow>();
  let followsSoFar = 0;
  /** Set when the port has ended. */
  const end: { gone: LabError | null } = { gone: null };

  function endFollow(follow: string, error: LabError): void {
    const open = follows.get(follow);
    follows.delete(follow);
    open?.onEnd(error);
  }

  const client: ClientSide = {
    async item(follow, item) {
      const open = follows.get(String(follow));
      if (open === undefined) return;
      try {
        await open.listener(checked(open.feed, feeds[open.feed].item, item));
      } catch (thrown) {
        endFollow(String(follow), asRemote(thrown));
        throw thrown;
      }
    },
    ended: (follow, error) => endFollow(String(follow), asRemote(error)),
  };
  const host = createBirpc<HostSide, ClientSide, false>(client, {
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
    const gone = (end.gone = new LabError(
      'process-gone',
      `the host that was asked is gone: ${reason}`,
      'Try the command again.',
    ));
    host.$close(gone);
    for (const follow of [...follows.keys()]) endFollow(follow, gone);
  });

  async function ask(method: 'hello' | 'call', ...words: [] | [name: CallName, input: unknown]): Promise<unknown> {
    if (end.gone !== null) throw end.gone;
    try {
      return await host.$call(method, ...(words as never));
    } catch (thrown) {
      throw asRemote(thrown);
    }
  }

  const protocol = await ask('hello');
  if (protocol !== clientProtocol) {
    port.end();
    throw otherProtocol(protocol);
  }
  return {
    call: async <N extends CallName>(name: N, input: unknown) =>
      checked(name, calls[name].gives, await ask('call', name, input)) as Gives<N>,
    follow(feed, input, listener, onEnd) {
      const follow = String((followsSoFar += 1));
      if (end.gone !== null) {
        onEnd?.(end.gone);
        return () => undefined;
      }
      follows.set(follow, { feed, listener: listener, onEnd: onEnd ?? (() => undefined) });
      void host.$callEvent('follow', follow, feed, input).catch((error: unknown) => endFollow(follow, asRemote(error)));
      return () => {
        if (follows.delete(follow)) void host.$callEvent('unfollow', follow).catch(() => undefined);
      };
    },
    close() {
      port.end();
      return Promise.resolve();
    },
  };
}

function checked(name: string, schema: z.ZodType, output: unknown): unknown {
  const parsed = schema.safeParse(output);
  if (parsed.success) return parsed.data;
  const issues = describeIssues(parsed.error.issues, output).slice(0, 5).join('; ');
  throw new LabError('internal', `the host answered ${name} with something else than agreed: ${issues}`);
}

function asRemote(thrown: unknown): LabError {
  if (thrown instanceof LabError) return thrown;
  const parsed = labErrorData.safeParse(thrown);
  if (parsed.success) return LabError.fromData(parsed.data);
  return new LabError('internal', `the host failed in a way it has no word for: ${String(thrown)}`);
}

function otherProtocol(found: unknown): LabError {
  return new LabError(
    'locked',
    `the data folder is held by a host that speaks client protocol ${String(found)}; this one speaks ${clientProtocol}`,
    'End that host, or use the version of recovery-lab that started it.',
  );
}
