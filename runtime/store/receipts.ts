import type { Receipt } from '../contract/index.ts';
import type { Json, LedgerWrite, OperationId, ReceiptKind } from '../core/index.ts';
import type { Reader, Writer } from './connection.ts';
import type { KnownRun } from './known-runs.ts';

type ReceiptAdd = Extract<LedgerWrite, { tag: 'receipt/add' }>;

/** Returns the receipt's id. */
export type AddReceipt = (run: KnownRun, write: ReceiptAdd) => number;

export function prepareReceiptWrites(db: Writer): AddReceipt {
  type Row = [number, number | null, OperationId | null, ReceiptKind, string, number, number, number | null, string];
  const insert = db.prepare<Row>(
    `INSERT INTO receipts (run, attempt, operation, kind, name, ok, at, duration_ms, data)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (run, { attempt, operation, kind, name, ok, at, durationMs, data }) =>
    Number(
      insert.run(run.number, attempt, operation, kind, name, ok ? 1 : 0, at, durationMs, JSON.stringify(data))
        .lastInsertRowid,
    );
}

export interface ReceiptQueries {
  /** In the order they were added; of one operation, or of the whole run. */
  receipts(run: string, operation: OperationId | null): Receipt[];
}

export const receiptsSql = `
  SELECT receipts.id, runs.id AS run, attempt, operation, kind, name, ok, at, duration_ms AS durationMs, data
  FROM runs JOIN receipts ON receipts.run = runs.number
  WHERE runs.id = ? AND operation IS coalesce(?, operation) ORDER BY receipts.id`;

export function prepareReceiptQueries(db: Reader): ReceiptQueries {
  type Row = Omit<Receipt, 'ok' | 'data'> & { readonly ok: 0 | 1; readonly data: string };
  const all = db.prepare<[string, OperationId | null], Row>(receiptsSql);
  return {
    receipts: (run, operation) =>
      all.all(run, operation).map((row) => ({ ...row, ok: row.ok === 1, data: JSON.parse(row.data) as Json })),
  };
}
