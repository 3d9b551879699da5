import { describe, expect, it } from 'vitest';
import { childId, describeEnd, limits, type LabError } from '../../../runtime/core/index.ts';
import { eventually, go, openWith, programs, start, temporaryFolder } from './relay-fixture.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const log = (message: string): string =>
  JSON.stringify({ tag: 'log', level: 'info', message, operation: null, fields: {} });

describe('a frame that breaks the protocol', () => {
  const cases: readonly (readonly [what: string, bytes: string | Buffer, detail: RegExp])[] = [
    ['is not JSON', 'hello there\n', /^frame 3, at byte \d+ of its socket, is not JSON .*begins with "hello there"$/],
    ['is binary', Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0a]), /is not UTF-8; it begins with "/],
    ['is empty', '\n', /is not JSON .*begins with ""$/],
    ['is no object', '17\n', /does not fit the protocol \(the whole frame: /],
    ['has an unknown tag', '{"tag":"nope"}\n', /does not fit the protocol \(tag: Invalid discriminator value/],
    ['has a field too many', `${log('x').replace('{', '{"more":1,')}\n`, /the whole frame: Unrecognized key: "more"/],
    [
      'has a wrong value inside',
      '{"tag":"checkpoint","id":"1","outcome":{"ok":true,"value":1}}\n',
      /\(outcome\.value: Invalid input: expected string, received number\)/,
    ],
    [
      'is no operation id',
      '{"tag":"checkpoint","id":"1.x","outcome":{"ok":true,"value":""}}\n',
      /\(id: expected an op/,
    ],
    ['has a prototype key', '{"tag":"budget","attempts":1,"__proto__":{"tag":"x"}}\n', /Unrecognized key/],
    ['is a second hello', '{"tag":"hello","protocol":1,"pid":1,"node":"x"}\n', /^it said hello a second time$/],
  ];

  it.each(cases)('ends the attempt when it %s', async (_what, bytes, detail) => {
    const supervisor = await openWith('garbage.mjs');
    const { relay, watched } = await start(supervisor);
    const last = `${log('never delivered')}\n`;
    const sent = Buffer.concat([Buffer.from(`${log('before')}\n`), Buffer.from(bytes), Buffer.from(last)]);
    relay.send({ tag: 'cancel', reason: sent.toString('base64') });
    const cause = await watched.end;
    expect(cause).toEqual({ kind: 'frame-invalid', detail: expect.stringMatching(detail) as string });
    expect(watched.frames.map((frame) => frame.tag === 'log' && frame.message)).toEqual(['before']);
    expect(watched.ends).toHaveLength(1);
    expect(supervisor.isAlive(relay.identity)).toBe(false);
  });

  it('shows at most its first 80 characters', async () => {
    const { relay, watched } = await start(await openWith('garbage.mjs'));
    relay.send({ tag: 'cancel', reason: Buffer.from(`${'é'.repeat(5000)}\n`).toString('base64') });
    expect(describeEnd(await watched.end)).toMatch(/begins with "é{80}"$/);
  });

  it('ends the attempt when a line never ends, and keeps no more of it than the bound', async () => {
    const { watched } = await start(await openWith('endless-line.mjs'));
    expect(await watched.end).toEqual({
      kind: 'frame-invalid',
      detail: expect.stringMatching(
        `^a frame, at byte \\d+ of its socket, has no line end within ${limits.frameBytes} bytes; `,
      ) as string,
    });
  });

  it('takes a frame of exactly the bound, and not one byte more', async () => {
    const atBound = (bytes: number): string => `${log('x'.repeat(bytes - log('').length - 1))}\n`;
    const supervisor = await openWith('garbage.mjs');
    const { relay, watched } = await start(supervisor);
    const half = 300_000;
    // The bytes travel to the process in frames of their own, so they are sent in parts.
    for (const [size, expected] of [
      [limits.frameBytes, 1],
      [limits.frameBytes + 1, 1],
    ] as const) {
      const bytes = Buffer.from(atBound(size));
      for (let at = 0; at < bytes.length; at += half) {
        relay.send({ tag: 'cancel', reason: bytes.subarray(at, at + half).toString('base64') });
      }
      await eventually(() => watched.frames.length === expected || watched.ends.length > 0);
      expect(watched.frames).toHaveLength(expected);
    }
    expect((await watched.end).kind).toBe('frame-invalid');
  });
});

describe('hello', () => {
  const words: readonly (readonly [what: string, words: string, message: RegExp])[] = [
    [
      'speaks another version',
      '{"tag":"hello","protocol":2,"pid":PID,"node":"x"}\n',
      /speaks version 2 of the protocol, expected 1/,
    ],
    ['says another pid', '{"tag":"hello","protocol":1,"pid":1,"node":"x"}\n', /says it is process 1, but it is \d+/],
    ['is not the first frame', '{"tag":"budget","attempts":2}\n', /its first frame is "budget", expected "hello"/],
    ['is garbage', 'GET / HTTP/1.1\n', /frame 1, at byte 0 of its socket, is not JSON/],
  ];

  it.each(words)('refuses a process that %s, and reports no end', async (_what, text, message) => {
    const runDir = temporaryFolder();
    writeFileSync(join(runDir, 'words'), text);
    const supervisor = await openWith('first-words.mjs');
    const refused = start(supervisor, { runDir });
    await expect(refused).rejects.toMatchObject({
      code: 'frame-invalid',
      message: expect.stringMatching(message) as string,
    });
    await expect(refused).rejects.toSatisfy(
      (error: LabError) => (error.facts.cause as { kind: string }).kind === 'frame-invalid',
    );
  });
});

describe('frames right behind hello', () => {
  it('are delivered when the caller of spawn has the process in hand, not before', async () => {
    const supervisor = await openWith('first-words.mjs');
    const runDir = temporaryFolder();
    // Both in one write, so that the host reads them at once.
    const hello = '{"tag":"hello","protocol":1,"pid":PID,"node":"x"}';
    writeFileSync(join(runDir, 'words'), `${hello}\n${log('at once')}\n`);
    const order: string[] = [];
    const said = Promise.withResolvers<void>();
    await supervisor.spawn(
      { run: 'run-1', attempt: 1, runDir, workDir: runDir, readable: [programs] },
      {
        onFrame() {
          order.push('frame');
          said.resolve();
        },
        onEnd() {},
      },
    );
    order.push('process in hand');
    await said.promise;
    expect(order).toEqual(['process in hand', 'frame']);
  });
});

describe('send', () => {
  it('delivers frames in order, those of one turn in one piece', async () => {
    const { relay, watched } = await start(await openWith('echo.mjs'));
    for (let number = 0; number < 500; number += 1) relay.send({ tag: 'cancel', reason: String(number) });
    await eventually(() => watched.frames.length === 500);
    expect(watched.frames.map((frame) => frame.tag === 'log' && frame.fields.reason)).toEqual(
      Array.from({ length: 500 }, (_, number) => String(number)),
    );
  });

  it('throws for a frame over the bound and for one that the protocol does not know, and the relay lives on', async () => {
    const { relay, watched } = await start(await openWith('echo.mjs'));
    expect(() => relay.send({ tag: 'cancel', reason: 'x'.repeat(limits.frameBytes) })).toThrow(
      /"cancel" frame .* over the bound/,
    );
    expect(() => relay.send({ tag: 'exit', code: 0.5 })).toThrow(/"exit" frame .* \(code: /);
    relay.send(go);
    await watched.said('cancel');
  });

  it('ends a process that leaves 16 MiB unread', async () => {
    const { relay, watched } = await start(await openWith('never-reads.mjs'));
    await watched.said('reads nothing');
    const frame = { tag: 'cancel', reason: 'x'.repeat(1_000_000) } as const;
    for (let sent = 0; sent < 16; sent += 1) relay.send(frame);
    expect(watched.ends).toEqual([]);
    for (let sent = 0; sent < 2; sent += 1) relay.send(frame);
    expect(await watched.end).toEqual({
      kind: 'frame-invalid',
      detail: expect.stringMatching(/left over \d+ bytes .* unread/) as string,
    });
  });

  it('lets a history of more than that pass', async () => {
    const { relay, watched } = await start(await openWith('echo.mjs'));
    const outcome = { ok: true, value: 'x'.repeat(900_000) } as const;
    const shared = {
      kind: 'step',
      name: 's',
      arguments: null,
      repeatable: true,
      state: 'checkpointed',
      outcome,
    } as const;
    for (let n = 0; n < 40; n += 1) relay.send({ tag: 'history', entries: [{ ...shared, id: childId(null, n) }] });
    await eventually(() => watched.frames.length === 40);
    expect(watched.ends).toEqual([]);
  });

  it('does not count what was read', async () => {
    const { relay, watched } = await start(await openWith('echo.mjs'));
    for (let n = 0; n < 40; n += 1) {
      relay.send({ tag: 'cancel', reason: 'y'.repeat(900_000) });
      await eventually(() => watched.frames.length === n + 1);
    }
    expect(watched.ends).toEqual([]);
  });

  it('does nothing once the process is gone', async () => {
    const { relay, watched } = await start(await openWith('echo.mjs'));
    relay.send({ tag: 'exit', code: 3 });
    expect(await watched.end).toEqual({ kind: 'exit', code: 3 });
    expect(() => relay.send(go)).not.toThrow();
  });
});
