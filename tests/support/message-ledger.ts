import type { FromChild } from '../../runtime/contract/index.ts';
import type { Json, Outcome } from '../../runtime/core/index.ts';

type Perform = Extract<FromChild, { tag: 'perform' }>;
type Ask = Extract<FromChild, { tag: 'ask' }>;

/** Messages, events and streams of one scripted host, in memory. */
export class MessageLedger {
  readonly events = new Map<string, string>();
  readonly streams = new Map<string, (string | null)[]>();
  readonly #mailboxes = new Map<string, string[]>();

  /** Null for a wait that nothing here will end. */
  carryOut({ name, input }: Perform): Outcome | null {
    const { workflow, key, topic, value, body, timeoutMs } = input as Record<string, string>;
    const place = `${workflow}/${topic ?? key}`;
    switch (name) {
      case 'DBOS.send':
        this.#mailboxes.set(place, [...(this.#mailboxes.get(place) ?? []), body ?? '']);
        return done();
      case 'DBOS.recv': {
        const [first, ...rest] = this.#mailboxes.get(place) ?? [];
        this.#mailboxes.set(place, rest);
        return first === undefined ? waited(timeoutMs) : done(first);
      }
      case 'DBOS.setEvent':
        this.events.set(place, value ?? '');
        return done();
      case 'DBOS.getEvent': {
        const event = this.events.get(place);
        return event === undefined ? waited(timeoutMs) : done(event);
      }
      default:
        this.streams.set(place, [
          ...(this.streams.get(place) ?? []),
          name === 'DBOS.closeStream' ? null : (value ?? ''),
        ]);
        return done();
    }
  }

  /** Undefined for a question that is not about a stream. */
  answer({ question, input }: Ask): Json | undefined {
    if (question !== 'read-stream') return undefined;
    const { workflow, key, from } = input as { workflow: string; key: string; from: number };
    const all = this.streams.get(`${workflow}/${key}`) ?? [];
    return { values: all.slice(from).filter((value) => value !== null), closed: all.includes(null) };
  }
}

function done(value = '{"json":null}'): Outcome {
  return { ok: true, value };
}

function waited(timeoutMs: unknown): Outcome | null {
  return timeoutMs === 0 ? done() : null;
}
