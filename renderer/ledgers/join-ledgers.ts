import type { Receipt, ServiceRecord } from '../../runtime/contract/index.ts';
import type { OperationHistory } from '../history/run-history.ts';
import { bodiesOf, bodyAt, type Body } from './bodies.ts';
import { judge, type Verdict } from './judge-operation.ts';

/** What both sides wrote down of one run. */
export interface Ledgers {
  readonly run: string;
  readonly operations: readonly OperationHistory[];
  /** Operations that a person has to decide on. */
  readonly uncertain: ReadonlySet<string>;
  readonly receipts: readonly Receipt[];
  readonly records: readonly ServiceRecord[];
  /** Services whose records are read: of others nothing is known. */
  readonly services: readonly string[];
}

/** Requests with one key at one service, in their order. */
export interface KeyUse {
  readonly service: string;
  readonly reference: string | null;
  readonly requests: readonly ServiceRecord[];
  readonly effects: number;
}

/** One operation as both sides saw it. */
export interface JoinedOperation {
  readonly operation: OperationHistory;
  readonly isUncertain: boolean;
  readonly bodies: readonly Body[];
  /** Receipts of platform calls, and admissions that were denied. */
  readonly receipts: readonly Receipt[];
  readonly keys: readonly KeyUse[];
  readonly requests: number;
  readonly effects: number;
  /** Effects beyond those that one body asks for. */
  readonly doubled: number;
  /** Services that it turned to and was done with, and that have nothing of it. */
  readonly lost: readonly string[];
  readonly verdict: Verdict;
}

export interface JoinedLedgers {
  readonly operations: readonly JoinedOperation[];
  /** Requests that no operation of the run accounts for. */
  readonly unowned: readonly KeyUse[];
}

/**
 * Sets what the program believes beside what the services saw. A request belongs to the operation that its key names; one
 * whose key names the run alone, to the operation that turned to that service, by its receipts and its time.
 */
export function joinLedgers(ledgers: Ledgers): JoinedLedgers {
  const receipts = Map.groupBy(ledgers.receipts, ({ operation }) => operation);
  const contacts = ledgers.operations.map((operation) => contactOf(operation, receipts.get(operation.id) ?? []));
  const places = new Map<string, number>(contacts.map(({ operation }, place) => [operation.id, place]));
  const owned: ServiceRecord[][] = contacts.map(() => []);
  const unowned: ServiceRecord[] = [];
  for (const record of ledgers.records) {
    const place = record.operation === null ? ownerOf(record, contacts) : places.get(record.operation);
    (place === undefined ? unowned : owned[place])?.push(record);
  }
  return {
    operations: contacts.map((contact, place) => joinOne(contact, owned[place] ?? [], ledgers)),
    unowned: keyUses(unowned),
  };
}

interface Contact {
  readonly operation: OperationHistory;
  readonly bodies: readonly Body[];
  readonly receipts: readonly Receipt[];
  /** Services that it was admitted to. */
  readonly services: ReadonlySet<string>;
}

function contactOf(operation: OperationHistory, receipts: readonly Receipt[]): Contact {
  const services = receipts.flatMap((receipt) =>
    receipt.kind === 'admission' && receipt.ok
      ? connectionsOf(receipt)
      : receipt.kind === 'mcp'
        ? serverOf(receipt)
        : [],
  );
  return { operation, bodies: bodiesOf(operation), receipts, services: new Set(services) };
}

function joinOne(contact: Contact, records: readonly ServiceRecord[], ledgers: Ledgers): JoinedOperation {
  const { operation, bodies, receipts } = contact;
  const facts = {
    operation,
    isUncertain: ledgers.uncertain.has(operation.id),
    bodies,
    receipts: receipts.filter(({ kind, ok }) => kind !== 'admission' || !ok),
    keys: keyUses(records),
    requests: records.length,
    effects: records.filter(({ effect }) => effect).length,
    doubled: doubledEffects(records, bodies),
    lost: lostAt(contact, records, ledgers),
  };
  return { ...facts, verdict: judge(facts) };
}

/** Requests by service and key, in the order of the first of each. */
function keyUses(records: readonly ServiceRecord[]): KeyUse[] {
  const groups = Map.groupBy(records, ({ service, reference }) => JSON.stringify([service, reference]));
  return [...groups.values()].flatMap((requests) => {
    const [first] = requests;
    if (first === undefined) return [];
    const effects = requests.filter(({ effect }) => effect).length;
    return [{ service: first.service, reference: first.reference, requests, effects }];
  });
}

/** Of the operations that turned to the service, the one that was at work then; else the only one. */
function ownerOf({ service, path, reference, at }: ServiceRecord, contacts: readonly Contact[]): number | undefined {
  const turned = contacts.flatMap((contact, place) => (contact.services.has(service) ? [{ contact, place }] : []));
  const said = turned.filter(({ contact }) =>
    contact.receipts.some((one) => isCall(one, service, path) && argumentsText(one).includes(reference ?? '\0')),
  );
  const candidates = said.length > 0 ? said : turned;
  const atWork = candidates.findLast(({ contact }) =>
    contact.bodies.some(({ from, to }) => from <= at && at <= (to ?? Infinity)),
  );
  return (atWork ?? (candidates.length === 1 ? candidates[0] : undefined))?.place;
}

/** One body asks for each key once: what is there beyond the keys of the body with the most of them was done again. */
function doubledEffects(records: readonly ServiceRecord[], bodies: readonly Body[]): number {
  const actions = Map.groupBy(records, ({ service, path }) => `${service} ${path}`);
  let doubled = 0;
  for (const requests of actions.values()) {
    const effects = requests.filter(({ effect }) => effect).length;
    const asked = Map.groupBy(requests, ({ at }) => bodyAt(bodies, at));
    const keys = [...asked.values()].map((rows) => new Set(rows.map(({ reference }) => reference)).size);
    doubled += Math.max(0, effects - Math.max(...keys));
  }
  return doubled;
}

/**
 * Services that should know of a completed operation and do not. An MCP call counts when its arguments named this run; of
 * a plain HTTP call only the admission is known, so that one which merely asked a question counts too.
 */
function lostAt(contact: Contact, records: readonly ServiceRecord[], { run, services }: Ledgers): string[] {
  if (contact.operation.state !== 'done') return [];
  const named = contact.receipts.flatMap((receipt) => {
    if (!receipt.ok) return [];
    if (receipt.kind === 'mcp') return argumentsText(receipt).includes(run) ? serverOf(receipt) : [];
    const isHttp = receipt.kind === 'admission' && receipt.name.startsWith('service ');
    return isHttp ? connectionsOf(receipt) : [];
  });
  return [...new Set(named)].filter(
    (service) => services.includes(service) && !records.some((record) => record.service === service),
  );
}

function connectionsOf({ data }: Receipt): string[] {
  const connections = field(data, 'connections');
  if (!Array.isArray(connections)) return [];
  return connections.map(String).flatMap((name) => /^(?:service|mcp):(.+)$/.exec(name)?.[1] ?? []);
}

function serverOf({ data }: Receipt): string[] {
  const server = field(data, 'server');
  return typeof server === 'string' ? [server] : [];
}

function isCall(receipt: Receipt, service: string, tool: string): boolean {
  return receipt.kind === 'mcp' && field(receipt.data, 'server') === service && field(receipt.data, 'tool') === tool;
}

function argumentsText({ data }: Receipt): string {
  return JSON.stringify(field(data, 'arguments') ?? null);
}

function field(data: Receipt['data'], key: string): unknown {
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
  return isObject ? (data as Readonly<Record<string, unknown>>)[key] : undefined;
}
