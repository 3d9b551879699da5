import { asLabError, LabError } from '../core/index.ts';
import { calls, type CallName, type Gives, type Handlers, type LabClient } from './client-api.ts';
import { clientProtocol, toHost, type FramePort, type FromHost, type ToHost } from './client-frames.ts';
import type { LabEvent } from './run.ts';
import { describeIssues } from './schema-issues.ts';

/**
 * Gives a run's events after `after`, those that are there and those to come, in order, each once; waits for what the
 * listener returns before it gives the next. Returns the way to stop.
 */
export type FollowEvents = (
  run: string,
  after: number,
  listener: (event: LabEvent) => void | Promise<void>,
) => () => void;

/** What answers the client API. A call without a handler is refused: a reader of the ledger has no others. */
export interface ClientService {
  readonly handlers: Partial<Handlers>;
  readonly follow: FollowEvents;
}

/** The client of a service in the same process: same checks, no copies. */
export function localClient({ handlers, follow }: ClientService): LabClient {
  return { call: (name, input) => invoke(handlers, name, input), follow, close: () => Promise.resolve() };
}

/** Serves one connection until it ends. A frame that is none of the protocol ends it. */
export function serveClient(port: FramePort<FromHost>, { handlers, follow }: ClientService): void {
  const follows = new Map<number, () => void>();

  async function answer({ call, name, input }: Extract<ToHost, { tag: 'call' }>): Promise<void> {
    try {
      if (!isCallName(name)) throw new LabError('not-supported', `there is no call ${JSON.stringify(name)}`);
      await port.send({ tag: 'reply', call, output: await invoke(handlers, name, input) });
    } catch (thrown) {
      await port.send({ tag: 'fault', call, error: asLabError(thrown).toData() });
    }
  }

  port.onEnd(() => {
    for (const stop of follows.values()) stop();
    follows.clear();
  });
  port.onFrame((raw) => {
    const parsed = toHost.safeParse(raw);
    if (!parsed.success) return port.end();
    const frame = parsed.data;
    if (frame.tag === 'call') return void answer(frame);
    follows.get(frame.call)?.();
    follows.delete(frame.call);
    if (frame.tag === 'unfollow') return;
    const { call } = frame;
    follows.set(
      call,
      follow(frame.run, frame.after, (event) => port.send({ tag: 'event', call, event })),
    );
  });
  void port.send({ tag: 'hello', protocol: clientProtocol });
}

function isCallName(name: string): name is CallName {
  return Object.hasOwn(calls, name);
}

async function invoke<N extends CallName>(handlers: Partial<Handlers>, name: N, input: unknown): Promise<Gives<N>> {
  const parsed = calls[name].takes.safeParse(input);
  if (!parsed.success) {
    const issues = describeIssues(parsed.error.issues, input).join('; ');
    throw new LabError('invalid-input', `${name} cannot take this: ${issues}`);
  }
  const handler = handlers[name];
  if (handler === undefined) throw new LabError('not-supported', `${name} needs a host; this only reads the ledger`);
  return (handler as (taken: unknown) => Promise<Gives<N>>)(parsed.data);
}
