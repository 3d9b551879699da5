import { statSync } from 'node:fs';
import { withServiceDatabase } from './service-database.ts';
import { services, type ServiceName } from './service-name.ts';

interface Totals {
  readonly requests: number;
  readonly effects: number;
}

/** Counts over all of a service's database, counted again only when its files have changed. */
export class ServiceTotals {
  readonly #fileOf: (name: ServiceName) => string;
  readonly #known = new Map<ServiceName, { readonly stamp: string; readonly totals: Totals }>();

  constructor(fileOf: (name: ServiceName) => string) {
    this.#fileOf = fileOf;
  }

  of(name: ServiceName): Totals {
    const file = this.#fileOf(name);
    // Taken before the count: what is written meanwhile makes it count again, never pass over.
    const stamp = `${stampOf(file)} ${stampOf(`${file}-wal`)}`;
    const known = this.#known.get(name);
    if (known?.stamp === stamp) return known.totals;
    const totals = count(file, name);
    this.#known.set(name, { stamp, totals });
    return totals;
  }
}

/** Looked at only: opening the files would drop SQLite's locks on them. */
function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '-' : `${found.ino}/${found.size}/${found.mtimeMs}`;
}

function count(file: string, name: ServiceName): Totals {
  const rows = (table: string) => `(SELECT count(*) FROM ${table})`;
  const sql = `SELECT ${rows('requests')} AS requests, ${rows(services[name].effects)} AS effects`;
  const counted = withServiceDatabase(file, (db) => db.prepare<[], Totals>(sql).get());
  return counted ?? { requests: 0, effects: 0 };
}
