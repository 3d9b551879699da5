import { z } from 'zod';
import { digest } from '../body-digest.ts';
import { recordRequest, type ServiceDatabase } from '../service-database.ts';

const sku = z.string().min(1).max(100);
export const reservation = z.strictObject({
  sku,
  quantity: z.int().min(1).max(10_000),
  /** The order that the stock is for, in the words of who places it. */
  orderRef: z.string().min(1).max(255),
});
export type Reservation = z.infer<typeof reservation>;
export const stockQuery = z.strictObject({ sku });

/** Stock is plentiful, so that many runs in one data folder never compete for it. */
export const reservationsSchema = `
  CREATE TABLE IF NOT EXISTS stock (sku TEXT PRIMARY KEY, on_hand INTEGER NOT NULL) STRICT;
  INSERT INTO stock VALUES ('widget', 1000000000), ('gadget', 1000000000), ('gizmo', 3) ON CONFLICT DO NOTHING;
  CREATE TABLE IF NOT EXISTS reservations (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    reference TEXT NOT NULL UNIQUE,
    sku TEXT NOT NULL REFERENCES stock,
    quantity INTEGER NOT NULL
  ) STRICT;`;

/** The caller's mistake, or a lack of stock: told to the caller, not a fault of the server. */
export class InventoryError extends Error {
  override readonly name = 'InventoryError';
}

/** Reserves stock once for each `orderRef`. Throws InventoryError for one that was used otherwise, or too little stock. */
export function reserve(db: ServiceDatabase, asked: Reservation): object {
  const request = { path: 'reserve', reference: asked.orderRef, bodyHash: digest(JSON.stringify(asked)) };
  const outcome = db
    .transaction((): 'reserved' | 'repeated' | 'reference-reused' | 'refused' => {
      const decided = decide(db, asked);
      if (decided === 'reserved') {
        db.prepare('INSERT INTO reservations (at, reference, sku, quantity) VALUES (?, ?, ?, ?)').run(
          Date.now(),
          asked.orderRef,
          asked.sku,
          asked.quantity,
        );
      }
      recordRequest(db, { ...request, outcome: decided });
      return decided;
    })
    .immediate();
  if (outcome === 'reference-reused') {
    throw new InventoryError(`orderRef ${asked.orderRef} was used before for another product or quantity`);
  }
  if (outcome === 'refused') {
    const { available } = readStock(db, asked.sku);
    throw new InventoryError(`only ${available} of ${asked.sku} can be reserved, and ${asked.quantity} were asked for`);
  }
  return { ...asked, reserved: true };
}

function decide(db: ServiceDatabase, asked: Reservation): 'reserved' | 'repeated' | 'reference-reused' | 'refused' {
  const first = db.prepare('SELECT sku, quantity FROM reservations WHERE reference = ?').get(asked.orderRef) as
    { sku: string; quantity: number } | undefined;
  if (first !== undefined) {
    return first.sku === asked.sku && first.quantity === asked.quantity ? 'repeated' : 'reference-reused';
  }
  return readStock(db, asked.sku).available >= asked.quantity ? 'reserved' : 'refused';
}

/** What is on hand, reserved and left of a product. Throws InventoryError for one that is not known, naming those that are. */
export function readStock(
  db: ServiceDatabase,
  wanted: string,
): { sku: string; onHand: number; reserved: number; available: number } {
  const found = db.prepare('SELECT on_hand AS onHand FROM stock WHERE sku = ?').get(wanted) as
    { onHand: number } | undefined;
  if (found === undefined) {
    const known = db.prepare('SELECT sku FROM stock ORDER BY sku').pluck().all().join(', ');
    throw new InventoryError(`there is no product ${JSON.stringify(wanted)}: there is ${known}`);
  }
  const reserved = db
    .prepare('SELECT coalesce(sum(quantity), 0) FROM reservations WHERE sku = ?')
    .pluck()
    .get(wanted) as number;
  return { sku: wanted, onHand: found.onHand, reserved, available: found.onHand - reserved };
}
