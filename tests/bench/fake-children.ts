import type { ToChild } from '../../runtime/contract/index.ts';
import { childId } from '../../runtime/core/index.ts';
import type { ProcessListener, RelayProcess, Supervisor } from '../../runtime/engine/index.ts';

/**
 * Children that run no process: each asks for its steps one after the other, as fast as it is answered. What is
 * measured with them is the host alone. They begin together once `crowd` of them stand; `begun` gets the time.
 */
export function fakeChildren(crowd: number, begun: (at: number) => void): Supervisor {
  const waiting: (() => void)[] = [];
  const stands = (go: () => void): void => {
    waiting.push(go);
    if (waiting.length < crowd) return;
    begun(performance.now());
    for (const start of waiting.splice(0)) start();
  };
  return {
    self: { pid: process.pid, startTime: 'bench' },
    isAlive: () => true,
    endLeftover: () => Promise.resolve(),
    spawn: (_spec, listener) => Promise.resolve(fakeChild(listener, stands)),
  };
}

function fakeChild(listener: ProcessListener, stands: (go: () => void) => void): RelayProcess {
  let steps = 0;
  let next = 0;
  const step = (): void => {
    if (next === steps) {
      listener.onFrame({ tag: 'result', end: 'returned', outcome: { ok: true, value: '{}' } });
      return;
    }
    const id = childId(null, next++);
    listener.onFrame({
      tag: 'intend',
      id,
      kind: 'step',
      name: 'step',
      arguments: null,
      repeatable: true,
      source: 'relay.ts:9',
      wait: false,
    });
    listener.onFrame({ tag: 'checkpoint', id, outcome: { ok: true, value: `{"json":${next}}` } });
  };
  return {
    identity: { pid: process.pid, startTime: 'bench' },
    send(frame: ToChild) {
      if (frame.tag === 'start') {
        steps = (JSON.parse(frame.input) as { steps: number }).steps;
        stands(step);
      } else if (frame.tag === 'ack') queueMicrotask(step);
      else if (frame.tag === 'exit') queueMicrotask(() => listener.onEnd({ kind: 'exit', code: 0 }));
    },
    pause: () => {},
    resume: () => {},
    signal: () => {},
  };
}
