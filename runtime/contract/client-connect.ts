import type { z } from 'zod';
import { LabError } from '../core/index.ts';
import { calls, type CallName, type Gives, type LabClient, type Takes } from './client-api.ts';
import { clientProtocol, fromHost, type FramePort, type FromHost, type ToHost } from './client-frames.ts';
import type { LabEvent } from './run.ts';
import { describeIssues } from './schema-issues.ts';

interface OpenCall {
  readonly name: CallName;
  resolve(output: unknown): void;
  reject(error: LabError): void;
}

/**
 * The client of a service at the other end of a port. Resolves once the host has spoken; rejects with `process-gone`
 * when the port ends before, and with `locked` when the host speaks another protocol. Every open call rejects with
 * `process-gone` as soon as the port ends.
 */
export function connectClient(port: FramePort<ToHost>): Promise<LabClient> {
  const ready = Promise.withResolvers<LabClient>();
  const open = new Map<number, OpenCall>();
  const listeners = new Map<number, (event: LabEvent) => void>();
  let calledSoFar = 0;
  let ended: LabError | null = null;

  function take(frame: FromHost): void {
    if (frame.tag === 'hello') {
      if (frame.protocol === clientProtocol) return ready.resolve(client);
      ready.reject(otherProtocol(frame.protocol));
      return port.end();
    }
    if (frame.tag === 'event') return listeners.get(frame.call)?.(frame.event);
    const call = open.get(frame.call);
    if (frame.tag === 'reply') call?.resolve(frame.output);
    else call?.reject(LabError.fromData(frame.error));
  }

  port.onFrame((raw) => {
    const parsed = fromHost.safeParse(raw);
    if (parsed.success) return take(parsed.data);
    port.end();
  });
  port.onEnd((reason) => {
    ended = new LabError('process-gone', `the host that was asked is gone: ${reason}`, 'Try the command again.');
    ready.reject(ended);
    for (const call of open.values()) call.reject(ended);
    open.clear();
    listeners.clear();
  });

  const client: LabClient = {
    async call<N extends CallName>(name: N, input: Takes<N>): Promise<Gives<N>> {
      const answered = Promise.withResolvers<unknown>();
      const call = (calledSoFar += 1);
      if (ended !== null) throw ended;
      open.set(call, { name, resolve: answered.resolve, reject: answered.reject });
      void port.send({ tag: 'call', call, name, input }).catch(answered.reject);
      try {
        return checked(name, await answered.promise);
      } finally {
        open.delete(call);
      }
    },
    follow(run, after, listener) {
      const call = (calledSoFar += 1);
      listeners.set(call, listener);
      void port.send({ tag: 'follow', call, run, after });
      return () => {
        listeners.delete(call);
        void port.send({ tag: 'unfollow', call });
      };
    },
    close() {
      port.end();
      return Promise.resolve();
    },
  };
  return ready.promise;
}

function checked<N extends CallName>(name: N, output: unknown): Gives<N> {
  const schema: z.ZodType = calls[name].gives;
  const parsed = schema.safeParse(output);
  if (parsed.success) return parsed.data as Gives<N>;
  const issues = describeIssues(parsed.error.issues, output).slice(0, 5).join('; ');
  throw new LabError('internal', `the host answered ${name} with something else than agreed: ${issues}`);
}

function otherProtocol(found: number): LabError {
  return new LabError(
    'locked',
    `the data folder is held by a host that speaks client protocol ${found}; this command speaks ${clientProtocol}`,
    'End that host, or use the version of recovery-lab that started it.',
  );
}
