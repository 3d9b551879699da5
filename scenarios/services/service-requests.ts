import type { ServiceRecord } from '../../runtime/contract/index.ts';
import { operationOf } from './request-reference.ts';
import { withServiceDatabase } from './service-database.ts';
import { serviceFile, serviceNames, services, type ServiceName } from './service-name.ts';

/**
 * Every request of a run that reached one of the lab's services, read from their own databases in `folder`, in the order
 * of the requests.
 */
export function readServiceRequests(folder: string, run: string): ServiceRecord[] {
  return serviceNames
    .flatMap((name) => requestsOf(serviceFile(folder, name), name, run))
    .sort((a, b) => a.at - b.at || a.id - b.id);
}

interface RequestRow {
  readonly id: number;
  readonly at: number;
  readonly path: string;
  readonly reference: string;
  readonly outcome: string;
}

function requestsOf(file: string, service: ServiceName, run: string): ServiceRecord[] {
  const rows = withServiceDatabase(file, (db) =>
    db
      .prepare<[string], RequestRow>(
        'SELECT id, at, path, reference, outcome FROM requests WHERE instr(reference, ?) > 0 ORDER BY id',
      )
      .all(run),
  );
  return (rows ?? []).flatMap((row) => {
    const named = operationOf(row.reference, run);
    if (named === null) return [];
    return [{ service, ...row, operation: named.operation, effect: row.outcome === services[service].does }];
  });
}
