export { openLedger, openLedgerReadOnly } from './open-ledger.ts';
export type { OpenLedger, ReadOnlyLedger } from './open-ledger.ts';
export { lockFolder } from './folder-lock.ts';
export type { FolderLock } from './folder-lock.ts';
