export { openLedger, openLedgerReadOnly } from './open-ledger.ts';
export type { LedgerSettings, OpenLedger, ReadOnlyLedger } from './open-ledger.ts';
export type { ConnectionSettings } from './connection.ts';
export type { Artifact } from './artifacts.ts';
export type { Committed } from './writer-messages.ts';
export { lockFolder } from './folder-lock.ts';
export type { FolderLock } from './folder-lock.ts';
