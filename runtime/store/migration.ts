import { LabError } from '../core/index.ts';
import type { Writer } from './connection.ts';
import { migration0010 } from './migrations/0010-runs.ts';
import { migration0020 } from './migrations/0020-operations.ts';
import { migration0030 } from './migrations/0030-evidence.ts';
import { migration0040 } from './migrations/0040-permissions.ts';
import { migration0050 } from './migrations/0050-workflow-messages.ts';
import { migration0060 } from './migrations/0060-failed-tries.ts';

/** Marks a database file as a ledger (`PRAGMA application_id`): "RRLb". */
export const applicationId = 0x52524c62;

/** One step of the ledger's schema. Never edited after a release; the next one is a new file. */
export interface Migration {
  /** `user_version` after it. Spaced by ten. */
  readonly to: number;
  readonly purpose: string;
  up(db: Writer): void;
}

export const migrations: readonly Migration[] = [
  migration0010,
  migration0020,
  migration0030,
  migration0040,
  migration0050,
  migration0060,
];

export const newestVersion = Math.max(...migrations.map((migration) => migration.to));

/** Brings a ledger to `target`, each step and its version in one transaction. */
export function migrate(db: Writer, target: number = newestVersion): void {
  for (const migration of migrations) {
    if (migration.to > target) return;
    db.transaction(() => {
      // Read under the lock: another host may have migrated it a moment ago, or be newer than this one.
      const version = Number(db.pragma('user_version', { simple: true }));
      if (version > newestVersion) {
        throw new LabError(
          'ledger-newer',
          `the ledger ${db.name} has version ${version}; this program knows versions up to ${newestVersion}`,
          'Use the newer program that wrote it, or another data folder.',
          { found: version, known: newestVersion },
        );
      }
      if (version >= migration.to) return;
      migration.up(db);
      db.pragma(`application_id = ${applicationId}`);
      db.pragma(`user_version = ${migration.to}`);
    }).immediate();
  }
}
