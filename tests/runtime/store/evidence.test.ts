import { describe, expect, it } from 'vitest';
import { event, eventData, type EventType } from '../../../runtime/contract/index.ts';
import type { LedgerWrite, OperationId } from '../../../runtime/core/index.ts';
import { openTestLedger, recoverRun, startRun } from '../../support/ledger-file.ts';
import { checkpoint, claimRun, createRun, intend, moveRun, testTime } from '../../support/ledger-writes.ts';
import { refusalOf } from '../../support/refusal.ts';

const id = (text: string): OperationId => text as OperationId;
const at = testTime;

describe('events', () => {
  it('are gap-free from 1, of every type, each in the shape of its type', async () => {
    const ledger = await openTestLedger();
    const plan = ['a', 'b'].map((point) => ({ point: `${point}@during`, state: 'armed' as const }));
    await ledger.commit([createRun('r', { attemptBudget: 9 }), claimRun('r', 1, { crashPlan: plan })]);
    const claim = { run: 'r', epoch: 1 };
    const error = { name: 'E', message: 'm', stack: null, code: null, fields: {}, cause: null };
    const about = { at, run: 'r', attempt: 1, operation: id('0') };
    await ledger.commit([
      { tag: 'attempt/spawned', at, claim, attempt: 1, process: { pid: 1, startTime: '1' } },
      { tag: 'run/lower-budget', at, claim, attemptBudget: 8 },
      intend('r', '0', { kind: 'agent', repeatable: false }),
      intend('r', '1'),
      checkpoint('r', '1'),
      intend('r', '2'),
      checkpoint('r', '2', { outcome: { ok: false, error } }),
      { tag: 'operation/try', at, claim, attempt: 1, id: id('2'), number: 1, error, retryInMs: null },
      { tag: 'receipt/add', ...about, kind: 'agent', name: 'extract', ok: true, durationMs: 1.5, data: { tokens: 3 } },
      { tag: 'event/add', ...about, type: 'log', data: { level: 'info' } },
      { tag: 'event/add', ...about, type: 'note', data: null },
      { tag: 'artifact/add', at, run: 'r', path: 'out.pdf', mediaType: 'application/pdf', bytes: 7, sha256: 'ab' },
      { tag: 'attempt/arm', at, claim, attempt: 1, point: 'late@during' },
      { tag: 'attempt/crash-point', at, run: 'r', attempt: 1, index: 0, state: 'fired', operation: id('1') },
      { tag: 'attempt/crash-point', at, run: 'r', attempt: 1, index: 1, state: 'missed', operation: null },
      { tag: 'attempt/crash-point', at, run: 'r', attempt: 1, index: 2, state: 'withdrawn', operation: null },
    ]);
    await recoverRun(ledger, 'r');
    const again = { run: 'r', epoch: 2 };
    await ledger.commit([
      { tag: 'operation/reused', at, claim: again, attempt: 2, id: id('1'), diverged: true, arguments: 'x' },
      moveRun('r', ['running'], 'needs_reconciliation'),
      { tag: 'operation/decide', at, run: 'r', revision: 6, id: id('0'), decision: { kind: 'again' }, by: 'ada' },
    ]);
    await ledger.commit([{ tag: 'run/set-recovery', at, run: 'r', revision: 7, recovery: 'immediate' }]);
    const events = ledger.events('r', { after: 0, limit: 1000 });
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, n) => n + 1));
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(Object.keys(eventData) as EventType[]));
    for (const one of events) {
      event.parse(one);
      eventData[one.type].parse(one.data);
    }
    expect(ledger.run('r')?.lastSequence).toBe(events.length);
    expect(ledger.events('r', { after: 3, limit: 2 })).toEqual(events.slice(3, 5));
  });
});

describe('receipts', () => {
  it('are kept in order, and found by operation', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    await startRun(ledger, 'other');
    const add = (run: string, operation: string | null, name: string): LedgerWrite => ({
      tag: 'receipt/add',
      at,
      run,
      attempt: 1,
      operation: operation === null ? null : id(operation),
      kind: 'tool',
      name,
      ok: false,
      durationMs: null,
      data: { name },
    });
    await ledger.commit([add('r', '0', 'a'), add('other', '0', 'x'), add('r', null, 'b'), add('r', '1', 'c')]);
    expect(ledger.receipts('r', null).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(ledger.receipts('r', id('1'))).toEqual([
      {
        id: 4,
        run: 'r',
        attempt: 1,
        operation: '1',
        kind: 'tool',
        name: 'c',
        ok: false,
        at,
        durationMs: null,
        data: { name: 'c' },
      },
    ]);
    expect((await refusalOf(ledger.commit([add('nobody', null, 'z')]))).code).toBe('not-found');
  });
});

describe('permissions', () => {
  it('are set, changed, and left alone where only an absent one was to be set', async () => {
    const ledger = await openTestLedger();
    const set = (granted: boolean, onlyIfAbsent: boolean, by: string): LedgerWrite => ({
      tag: 'permission/set',
      at,
      caller: 'local',
      resource: 'relay:orders',
      granted,
      by,
      onlyIfAbsent,
    });
    expect(ledger.isGranted('local', 'relay:orders')).toBeNull();
    await ledger.commit([set(true, true, 'publish')]);
    expect(ledger.isGranted('local', 'relay:orders')).toBe(true);
    const { events } = await ledger.commit([set(false, false, 'ada')]);
    expect(events).toEqual([]);
    await ledger.commit([set(true, true, 'publish')]);
    expect(ledger.isGranted('local', 'relay:orders')).toBe(false);
    expect(ledger.permissions()).toEqual([
      { caller: 'local', resource: 'relay:orders', granted: false, changedAt: at, changedBy: 'ada' },
    ]);
  });
});

describe('artifacts', () => {
  it('are one a path, as it was last written', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    const add = {
      tag: 'artifact/add',
      at,
      run: 'r',
      path: 'out.txt',
      mediaType: 'text/plain',
      bytes: 1,
      sha256: 'a',
    } as const;
    await ledger.commit([add]);
    await ledger.commit([{ ...add, bytes: 2, sha256: 'b' }]);
    expect(ledger.artifacts('r')).toEqual([
      { run: 'r', path: 'out.txt', mediaType: 'text/plain', bytes: 2, sha256: 'b', addedAt: at },
    ]);
  });
});

describe('messages', () => {
  it('are sent once a sender and taken once, oldest first', async () => {
    const ledger = await openTestLedger();
    const send = (sender: string, body: string): LedgerWrite => ({
      tag: 'message/send',
      at,
      workflow: 'w',
      topic: 't',
      body,
      sender,
    });
    await ledger.commit([send('r/1', 'first'), send('r/2', 'second'), send('r/1', 'first, sent again')]);
    const first = ledger.oldestMessage('w', 't');
    expect(first?.body).toBe('first');
    const take: LedgerWrite = { tag: 'message/take', at, message: first?.id ?? 0, taker: 'r2/0' };
    await ledger.commit([take]);
    expect(ledger.oldestMessage('w', 't')?.body).toBe('second');
    expect(await refusalOf(ledger.commit([take]))).toMatchObject({ code: 'wrong-state', facts: { found: 'r2/0' } });
    expect((await refusalOf(ledger.commit([{ ...take, message: 99 }]))).code).toBe('not-found');
    expect(ledger.oldestMessage('w', 'other')).toBeNull();
  });

  it('stay untaken when the checkpoint that took them is refused', async () => {
    const ledger = await openTestLedger();
    await startRun(ledger, 'r');
    await ledger.commit([{ tag: 'message/send', at, workflow: 'w', topic: 't', body: 'b', sender: 's' }]);
    const message = ledger.oldestMessage('w', 't')?.id ?? 0;
    const unit = ledger.commit([{ tag: 'message/take', at, message, taker: 'r/0' }, checkpoint('r', '0')]);
    expect((await refusalOf(unit)).code).toBe('not-found');
    expect(ledger.oldestMessage('w', 't')?.id).toBe(message);
  });
});

describe('workflow events', () => {
  it('hold the value that was set last', async () => {
    const ledger = await openTestLedger();
    const set = { tag: 'workflow-event/set', at, workflow: 'w', key: 'progress' } as const;
    expect(ledger.workflowEvent('w', 'progress')).toBeNull();
    await ledger.commit([
      { ...set, value: '1' },
      { ...set, value: '2' },
    ]);
    expect(ledger.workflowEvent('w', 'progress')).toBe('2');
  });
});

describe('streams', () => {
  it('grow once a writer, are read from a position, and take nothing after they were closed', async () => {
    const ledger = await openTestLedger();
    const append = (writer: string, value: string | null): LedgerWrite => ({
      tag: 'stream/append',
      at,
      workflow: 'w',
      key: 'k',
      value,
      writer,
    });
    expect(ledger.stream('w', 'k', 0)).toEqual({ values: [], closed: false });
    await ledger.commit([append('r/0', 'a'), append('r/1', 'b'), append('r/0', 'a')]);
    expect(ledger.stream('w', 'k', 0)).toEqual({ values: ['a', 'b'], closed: false });
    expect(ledger.stream('w', 'k', 1)).toEqual({ values: ['b'], closed: false });
    await ledger.commit([append('r/2', null)]);
    expect(ledger.stream('w', 'k', 2)).toEqual({ values: [], closed: true });
    await ledger.commit([append('r/2', null), append('r/1', 'b')]);
    expect((await refusalOf(ledger.commit([append('r/3', 'c')]))).code).toBe('wrong-state');
    expect(ledger.stream('w', 'k', 0)).toEqual({ values: ['a', 'b'], closed: true });
  });
});
