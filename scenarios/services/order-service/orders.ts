import { z } from 'zod';
import type { Answer } from '../http-service.ts';
import { recordRequest, type ServiceDatabase } from '../service-database.ts';

const line = z.strictObject({
  sku: z.string().min(1).max(100),
  quantity: z.int().min(1).max(10_000),
  /** In the currency's smallest unit. */
  unitPrice: z.int().min(0).max(100_000_000),
});
export const order = z.strictObject({ customer: z.string().min(1).max(200), items: z.array(line).min(1).max(100) });
export type Order = z.infer<typeof order>;

export const ordersSchema = `
  CREATE TABLE IF NOT EXISTS orders (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    reference TEXT UNIQUE,
    body_hash TEXT NOT NULL,
    answer TEXT NOT NULL
  ) STRICT;`;

interface OrderRow {
  readonly body_hash: string;
  readonly answer: string;
}

/**
 * Places an order once for each key: the same key and body get the first answer again, marked by the header
 * `Idempotency-Replayed`; the same key with another body is refused. Without a key each request is a new order.
 */
export function placeOrder(
  db: ServiceDatabase,
  request: { body: Order; reference: string | null; bodyHash: string; path: string },
): Answer {
  const { body, reference, bodyHash } = request;
  return db
    .transaction((): Answer => {
      const first = db.prepare('SELECT body_hash, answer FROM orders WHERE reference = ?').get(reference) as
        OrderRow | undefined;
      if (first === undefined) {
        const answer = confirmation(body, bodyHash);
        db.prepare('INSERT INTO orders (at, reference, body_hash, answer) VALUES (?, ?, ?, ?)').run(
          Date.now(),
          reference,
          bodyHash,
          JSON.stringify(answer),
        );
        recordRequest(db, { ...request, outcome: 'created' });
        return { status: 201, body: answer };
      }
      if (first.body_hash !== bodyHash) {
        recordRequest(db, { ...request, outcome: 'key-reused' });
        const message = `the Idempotency-Key ${JSON.stringify(reference)} was used before with another body`;
        return { status: 422, body: { error: { code: 'key-reused', message } } };
      }
      recordRequest(db, { ...request, outcome: 'repeated' });
      return { status: 201, body: JSON.parse(first.answer) as object, headers: { 'Idempotency-Replayed': 'true' } };
    })
    .immediate();
}

/**
 * The order's number follows from what is ordered, so that two runs of one relay end with equal results; rows are told
 * apart by their own id and their key.
 */
function confirmation({ customer, items }: Order, bodyHash: string): object {
  const total = items.reduce((sum, item) => sum + item.quantity * item.unitPrice, 0);
  return { orderId: `order-${bodyHash.slice(0, 12)}`, customer, total };
}
