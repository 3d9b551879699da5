import { counted } from './counted.ts';
import type { JoinedLedgers } from './join-ledgers.ts';

interface ServiceTotals {
  readonly service: string;
  readonly requests: number;
  readonly effects: number;
}

/** Both ledgers in numbers. */
export interface LedgerTotals {
  readonly operations: number;
  readonly checkpoints: number;
  readonly bodies: number;
  readonly requests: number;
  readonly effects: number;
  /** Requests that were answered without a new effect, from operations of which nothing was doubled or refused. */
  readonly repeated: number;
  readonly lost: number;
  readonly doubled: number;
  /** Effects of operations that have no checkpoint. */
  readonly unconfirmed: number;
  readonly unowned: number;
  readonly services: readonly ServiceTotals[];
}

export function sumLedgers({ operations, unowned }: JoinedLedgers): LedgerTotals {
  const sum = (value: (row: JoinedLedgers['operations'][number]) => number): number =>
    operations.reduce((total, row) => total + value(row), 0);
  const keys = [...operations.flatMap((row) => row.keys), ...unowned];
  const services = Map.groupBy(keys, ({ service }) => service);
  return {
    operations: operations.length,
    checkpoints: sum(({ operation }) => (operation.state === 'done' || operation.state === 'failed' ? 1 : 0)),
    bodies: sum(({ bodies }) => bodies.length),
    requests: keys.reduce((total, { requests }) => total + requests.length, 0),
    effects: keys.reduce((total, { effects }) => total + effects, 0),
    repeated: sum(({ verdict, requests, effects }) => (verdict.kind === 'repeated' ? requests - effects : 0)),
    lost: sum(({ lost }) => lost.length),
    doubled: sum(({ doubled }) => doubled),
    unconfirmed: sum(({ verdict, effects }) => (verdict.kind === 'ahead' || verdict.kind === 'unknown' ? effects : 0)),
    unowned: unowned.reduce((total, { requests }) => total + requests.length, 0),
    services: [...services].map(([service, uses]) => ({
      service,
      requests: uses.reduce((total, { requests }) => total + requests.length, 0),
      effects: uses.reduce((total, { effects }) => total + effects, 0),
    })),
  };
}

/** What the two counts mean here, in a sentence or two. */
export function sayTotals(totals: LedgerTotals, joined: JoinedLedgers, isOver: boolean): string {
  const { effects, requests, repeated, unconfirmed, unowned } = totals;
  const named = (kind: 'lost' | 'doubled' | 'unknown'): string =>
    joined.operations
      .filter(({ verdict }) => verdict.kind === kind)
      .map(({ operation }) => `${operation.id} ${operation.name}`)
      .join(', ');
  const parts = [
    totals.lost > 0 ? `Lost in ${named('lost')}.` : '',
    totals.doubled > 0 ? `Doubled in ${named('doubled')}.` : '',
    requests === 0
      ? 'No request of this run reached a service.'
      : `${counted(effects, 'effect')} for ${counted(requests, 'request')}.`,
    repeated > 0
      ? `${counted(repeated, 'request')} repeated safely, answered from ${repeated === 1 ? 'its' : 'their'} key.`
      : '',
    unconfirmed > 0 ? `${counted(unconfirmed, 'effect')} that the program has no checkpoint for.` : '',
    unowned > 0 ? `${counted(unowned, 'request')} that no operation accounts for.` : '',
    isOver ? '' : 'The run goes on.',
  ];
  return parts.filter(Boolean).join(' ');
}
