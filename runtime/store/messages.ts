import { LabError, type LedgerWrite } from '../core/index.ts';
import type { Reader, Writer } from './connection.ts';

type Write<Tag extends LedgerWrite['tag']> = Extract<LedgerWrite, { tag: Tag }>;

export interface MessageWrites {
  /** Does nothing when this sender's message is there already. */
  readonly send: (write: Write<'message/send'>) => void;
  readonly take: (write: Write<'message/take'>) => void;
}

export function prepareMessageWrites(db: Writer): MessageWrites {
  const send = db.prepare<[string, string, string, string, number]>(
    'INSERT INTO messages (workflow, topic, body, sender, sent_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const take = db.prepare<[string, number, number]>(
    'UPDATE messages SET taker = ?, taken_at = ? WHERE id = ? AND taker IS NULL',
  );
  const takerOf = db.prepare<[number], string | null>('SELECT taker FROM messages WHERE id = ?').pluck();
  return {
    send({ at, workflow, topic, body, sender }) {
      send.run(workflow, topic, body, sender, at);
    },
    take({ at, message, taker }) {
      if (take.run(taker, at, message).changes === 1) return;
      const found = takerOf.get(message);
      if (found === undefined) throw new LabError('not-found', `there is no message ${message}`, '', { message });
      throw new LabError(
        'wrong-state',
        `message ${message} was taken by ${found ?? 'nobody'}; expected it to be untaken`,
        'Look for the next message of the topic.',
        { message, found: found ?? null },
      );
    },
  };
}

export interface MessageQueries {
  /** The oldest that nobody has taken. */
  oldestMessage(workflow: string, topic: string): { readonly id: number; readonly body: string } | null;
}

export const oldestMessageSql = `
  SELECT id, body FROM messages WHERE workflow = ? AND topic = ? AND taker IS NULL ORDER BY id LIMIT 1`;

export function prepareMessageQueries(db: Reader): MessageQueries {
  const oldest = db.prepare<[string, string], { id: number; body: string }>(oldestMessageSql);
  return { oldestMessage: (workflow, topic) => oldest.get(workflow, topic) ?? null };
}
