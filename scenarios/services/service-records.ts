import type Database from 'better-sqlite3';
import { belongsTo } from './request-reference.ts';
import { withServiceDatabase } from './service-database.ts';
import { services, type ServiceName } from './service-name.ts';

/** What one reference did at a service. */
interface ReferenceRecord {
  readonly reference: string | null;
  readonly attempts: number;
  /** In the order of the requests. */
  readonly outcomes: readonly string[];
  readonly effects: number;
}

export interface ServiceStats {
  /** Requests that reached the service. */
  readonly attempts: number;
  /** Orders, lines or reservations that they left. */
  readonly effects: number;
  readonly references: readonly ReferenceRecord[];
}

/**
 * Counts in a service's own database file, by a connection that cannot write. With `run` only what names that run. A
 * service that was never started has done nothing.
 */
export function readServiceRecords(path: string, service: ServiceName, run: string | null): ServiceStats {
  return (
    withServiceDatabase(path, (db) => countRecords(db, service, run)) ?? { attempts: 0, effects: 0, references: [] }
  );
}

/** The same counts over a connection that is open. */
export function countRecords(db: Database.Database, service: ServiceName, run: string | null): ServiceStats {
  const isMeant = ({ reference }: { reference: string | null }): boolean =>
    run === null || belongsTo(reference, { run, operation: null });
  const table = services[service].effects;
  const requests = db.prepare('SELECT reference, outcome FROM requests ORDER BY id').all() as RequestRow[];
  const effects = db.prepare(`SELECT reference FROM ${table} ORDER BY id`).all() as EffectRow[];
  const meantRequests = requests.filter(isMeant);
  const meantEffects = effects.filter(isMeant);
  const names = new Set([...meantRequests, ...meantEffects].map(({ reference }) => reference));
  return {
    attempts: meantRequests.length,
    effects: meantEffects.length,
    references: [...names].map((name) => {
      const own = meantRequests.filter(({ reference }) => reference === name);
      return {
        reference: name,
        attempts: own.length,
        outcomes: own.map(({ outcome }) => outcome),
        effects: meantEffects.filter(({ reference }) => reference === name).length,
      };
    }),
  };
}

interface RequestRow {
  readonly reference: string | null;
  readonly outcome: string;
}
interface EffectRow {
  readonly reference: string | null;
}
