import type { Permission } from '../contract/index.ts';
import type { LedgerWrite, Resource } from '../core/index.ts';
import type { Reader, Writer } from './connection.ts';

type PermissionSet = Extract<LedgerWrite, { tag: 'permission/set' }>;

export function preparePermissionWrites(db: Writer): (write: PermissionSet) => void {
  const insert = 'INSERT INTO permissions (caller, resource, granted, changed_at, changed_by) VALUES (?, ?, ?, ?, ?)';
  const set = db.prepare<[string, string, number, number, string]>(
    `${insert} ON CONFLICT (caller, resource) DO UPDATE SET
       granted = excluded.granted, changed_at = excluded.changed_at, changed_by = excluded.changed_by`,
  );
  const setIfAbsent = db.prepare<[string, string, number, number, string]>(`${insert} ON CONFLICT DO NOTHING`);
  return ({ at, caller, resource, granted, by, onlyIfAbsent }) => {
    (onlyIfAbsent ? setIfAbsent : set).run(caller, resource, granted ? 1 : 0, at, by);
  };
}

export interface PermissionQueries {
  /** By caller and resource. */
  permissions(): Permission[];
  /** Null when there is no record. */
  isGranted(caller: string, resource: Resource): boolean | null;
}

export const isGrantedSql = 'SELECT granted FROM permissions WHERE caller = ? AND resource = ?';

export function preparePermissionQueries(db: Reader): PermissionQueries {
  type Row = Omit<Permission, 'granted'> & { readonly granted: 0 | 1 };
  const all = db.prepare<[], Row>(
    `SELECT caller, resource, granted, changed_at AS changedAt, changed_by AS changedBy
     FROM permissions ORDER BY caller, resource`,
  );
  const one = db.prepare<[string, string], 0 | 1>(isGrantedSql).pluck();
  return {
    permissions: () => all.all().map((row) => ({ ...row, granted: row.granted === 1 })),
    isGranted(caller, resource) {
      const granted = one.get(caller, resource);
      return granted === undefined ? null : granted === 1;
    },
  };
}
