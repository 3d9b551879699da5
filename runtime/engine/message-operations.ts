import type { FromChild, HostedCall } from '../contract/index.ts';
import type { LedgerWrite, Outcome } from '../core/index.ts';
import { stamp, type AttemptContext } from './attempt-context.ts';

type Perform = Extract<FromChild, { tag: 'perform' }>;

export interface HostedBody {
  /** Written in one transaction with the checkpoint. */
  readonly writes: readonly LedgerWrite[];
  readonly outcome: Outcome;
}

const nothing = JSON.stringify({ json: null });

/** send, recv, events and streams: their effect lies in the ledger, so it is one transaction with the checkpoint. */
export async function exchangeMessages(context: AttemptContext, frame: Perform, call: HostedCall): Promise<HostedBody> {
  const { at } = stamp(context);
  const { ledger } = context.parts;
  const writer = `${context.run.id}/${frame.id}`;
  switch (call.name) {
    case 'DBOS.send': {
      const { workflow, topic, body, idempotencyKey } = call.input;
      return done([{ tag: 'message/send', at, workflow, topic, body, sender: idempotencyKey ?? writer }]);
    }
    case 'DBOS.setEvent':
      return done([{ tag: 'workflow-event/set', at, ...call.input }]);
    case 'DBOS.writeStream':
      return done([{ tag: 'stream/append', at, ...call.input, writer }]);
    case 'DBOS.closeStream':
      return done([{ tag: 'stream/append', at, ...call.input, value: null, writer }]);
    case 'DBOS.recv': {
      const { workflow, topic, timeoutMs } = call.input;
      const what = `a message on topic "${topic}"`;
      const message = await waitFor(context, frame, timeoutMs, what, () => ledger.oldestMessage(workflow, topic));
      if (message === null) return done([]);
      return {
        writes: [{ tag: 'message/take', at: stamp(context).at, message: message.id, taker: writer }],
        outcome: { ok: true, value: message.body },
      };
    }
    case 'DBOS.getEvent': {
      const { workflow, key, timeoutMs } = call.input;
      const what = `event "${key}" of ${workflow}`;
      const value = await waitFor(context, frame, timeoutMs, what, () => ledger.workflowEvent(workflow, key));
      return { writes: [], outcome: { ok: true, value: value ?? nothing } };
    }
  }
}

function done(writes: readonly LedgerWrite[]): HostedBody {
  return { writes, outcome: { ok: true, value: nothing } };
}

/** Looks, and looks again after each commit, until something is there, the time is over or the process is gone. */
async function waitFor<Value>(
  context: AttemptContext,
  frame: Perform,
  timeoutMs: number | null,
  what: string,
  look: () => Value | null,
): Promise<Value | null> {
  const { ledger, clock } = context.parts;
  // The time runs from the first intent, so that a recovery does not give it anew.
  const since = ledger.operation(context.run.id, frame.id)?.intendedAt ?? clock.now();
  const left = timeoutMs === null ? null : Math.max(0, since + timeoutMs - clock.now());
  const first = look();
  if (first !== null || left === 0) return first;
  context.open.beginWait(frame.id, `waiting for ${what}`);
  try {
    return await new Promise<Value | null>((resolve) => {
      const timer = left === null ? null : setTimeout(() => finish(null), left);
      const stop = ledger.onEvent(() => {
        const found = look();
        if (found !== null) finish(found);
      });
      const gone = (): void => finish(null);
      context.signal.addEventListener('abort', gone, { once: true });
      function finish(value: Value | null): void {
        if (timer !== null) clearTimeout(timer);
        stop();
        context.signal.removeEventListener('abort', gone);
        resolve(value);
      }
    });
  } finally {
    context.open.endWait(frame.id);
  }
}
