import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../../runtime/core/index.ts';
import { ScriptedHost, SdkLab, type AttemptEnd } from '../../support/scripted-host.ts';

const lab = new SdkLab();
const bundles = new Map<string, string>();

beforeAll(async () => {
  await lab.buildSdk();
  for (const name of ['retries', 'failing', 'stray', 'no-run', 'bad-import']) bundles.set(name, await lab.relay(name));
});
afterAll(() => lab[Symbol.dispose]());

let runs = 0;
function host(relay: string): ScriptedHost {
  return new ScriptedHost(lab, bundles.get(relay) ?? '', `run-${(runs += 1)}`);
}
function run(relay: string, input: Json): Promise<AttemptEnd> {
  return host(relay).attempt({ input });
}
function errorOf(end: AttemptEnd): { name: string; message: string; code: unknown; stack: string | null } {
  if (end.result?.outcome.ok !== false) throw new Error(`no error: ${JSON.stringify(end.result)} ${end.stderr}`);
  return end.result.outcome.error;
}

describe('a step that retries', () => {
  it('is one operation with a try frame for each failure, and sees which try it is', async () => {
    const end = await run('retries', { failures: 2 });
    expect(end.result?.outcome).toEqual({ ok: true, value: '"3 tries, 3 of 3"' });
    const tries = end.frames.flatMap((frame) =>
      frame.tag === 'try' ? [[frame.number, frame.error.message, frame.retryInMs]] : [],
    );
    expect(tries).toEqual([
      [1, 'try 1', 10],
      [2, 'try 2', 30],
    ]);
    expect(end.frames.filter((frame) => frame.tag === 'intend')).toHaveLength(1);
  });

  it('fails with DBOSMaxStepRetriesError and all errors, also when it is answered from history', async () => {
    const retrying = host('retries');
    const text = 'Step flaky has exceeded its maximum of 3 retries. Previous errors: ';
    const errors = 'Error 1: try 1. Error 2: try 2. Error 3: try 3 | Error/try 1, Error/try 2, Error/try 3';
    for (const attempt of [1, 2]) {
      const end = await retrying.attempt({ input: { failures: 9 } });
      expect(end.result?.outcome).toEqual({ ok: true, value: JSON.stringify(text + errors) });
      expect(end.frames.filter((frame) => frame.tag === 'try')).toHaveLength(attempt === 1 ? 3 : 0);
    }
  });

  it('stops at once when shouldRetry says so, and keeps a thrown text by name', async () => {
    const final = await run('retries', { failures: 9, how: 'final' });
    expect(final.result?.outcome).toEqual({ ok: true, value: '"gave up: Error: try 1"' });
    const text = await run('retries', { failures: 9, how: 'text' });
    expect(JSON.stringify(text.result)).toContain('NonErrorThrown/the relay threw');
  });

  it('gives up a try that runs over timeoutMS and signals it', async () => {
    const end = await run('retries', { failures: 1, how: 'timeout' });
    expect(end.result?.outcome).toEqual({ ok: true, value: '"2 tries, 2 of 3"' });
    expect(end.stdout).toContain('timed out');
    expect(end.frames.find((frame) => frame.tag === 'try')).toMatchObject({
      error: { name: 'DBOSStepTimeoutError', message: 'Step flaky timed out after 500ms' },
    });
  });

  it('starts anew with its first try after a kill between two', async () => {
    const retrying = host('retries');
    const killed = await retrying.attempt({ input: { failures: 2 }, killAt: '0@between-tries' });
    expect(killed.result).toBeNull();
    const end = await retrying.attempt({ input: { failures: 0 } });
    expect(end.result?.outcome).toEqual({ ok: true, value: '"1 tries, 1 of 3"' });
  });

  it('says before its first operation that the workflow allows fewer attempts', async () => {
    const end = await run('retries', { failures: 0 });
    expect(end.frames.slice(1, 3).map((frame) => frame.tag)).toEqual(['budget', 'intend']);
    expect(end.frames[1]).toEqual({ tag: 'budget', attempts: 2 });
  });
});

describe('a value that cannot be kept', () => {
  it.each([
    ['function', 'result.items[2].onClick is a function (onClick) and cannot be kept in history'],
    ['class', 'result.price is an instance of Money and cannot be kept in history'],
    ['cycle', 'result.items[0].owner refers back to result (a cycle) and cannot be kept in history'],
    ['symbol', 'result[0] is a symbol and cannot be kept in history'],
    ['promise', 'result.later is an instance of Promise (was an await forgotten?) and cannot be kept in history'],
    ['weakMap', 'result["a key"] is an instance of WeakMap and cannot be kept in history'],
    ['mapValue', 'result[1] is a function and cannot be kept in history'],
  ])('fails its step with the path (%s)', async (step, message) => {
    const failing = host('failing');
    const end = await failing.attempt({ input: { step } });
    expect(errorOf(end)).toMatchObject({ code: 'invalid-input', message });
    expect(failing.entry('0')).toMatchObject({ state: 'checkpointed', outcome: { ok: false, error: { message } } });
  });

  it('fails its step with size and limit when it is too large', async () => {
    const end = await run('failing', { step: 'large' });
    expect(errorOf(end)).toMatchObject({ code: 'too-large' });
    expect(errorOf(end).message).toMatch(
      /^checkpoint of operation 0: .* is 11000\d\d bytes; at most 917504 can be kept$/,
    );
  });
});

describe('a result of the run', () => {
  it.each([
    ['map', 'invalid-input', 'result.list[0].seen is a Map, which is not JSON; only JSON can be passed here'],
    ['nan', 'invalid-input', 'result.n is NaN, which is not JSON; only JSON can be passed here'],
    ['large', 'too-large', "the run's result is 140002 bytes of JSON; at most 131072 are kept"],
  ])('must be JSON of at most 128 KiB (%s)', async (returns, code, message) => {
    expect(errorOf(await run('failing', { returns }))).toMatchObject({ code, message });
  });

  it('has dates as the text that JSON gives them', async () => {
    const value = '{"when":"1970-01-01T00:00:00.000Z"}';
    expect((await run('failing', { returns: 'date' })).result?.outcome).toEqual({ ok: true, value });
  });

  it('is null for undefined, and leaves out what is undefined', async () => {
    expect((await run('failing', {})).result?.outcome).toEqual({ ok: true, value: 'null' });
    expect((await run('failing', { returns: 'absent' })).result?.outcome).toEqual({ ok: true, value: '{"kept":1}' });
  });
});

describe('what a relay throws', () => {
  it.each([
    ['text', 'NonErrorThrown', 'the relay threw "just a text", which is not an Error'],
    ['object', 'NonErrorThrown', 'the relay threw {"status":404}, which is not an Error'],
    ['nothing', 'NonErrorThrown', 'the relay threw undefined, which is not an Error'],
    ['odd', '7', '{"a":1}'],
    ['step-text', 'NonErrorThrown', 'the relay threw "a text from a step", which is not an Error'],
  ])('ends the run with its name and text (%s)', async (throws, name, message) => {
    expect(errorOf(await run('failing', { throws }))).toMatchObject({ name, message });
  });

  it('is cut to what a frame can hold', async () => {
    const { message } = errorOf(await run('failing', { throws: 'huge' }));
    expect(message).toMatch(/^x{32768}… \(1967232 characters cut\)$/);
  });

  it('has a stack of the relay’s own source lines', async () => {
    const { stack } = errorOf(await run('stray', { how: 'exception' }));
    expect(stack).toContain('stray.ts:13');
  });
});

describe('an end that no await of the workflow leads to', () => {
  it.each([
    ['rejection', 'nobody awaits me'],
    ['exception', 'from a timer'],
    ['stuck', 'the relay waits for a promise that nothing in its process will settle'],
  ])('fails the run (%s)', async (how, message) => {
    const end = await run('stray', { how });
    expect(errorOf(end)).toMatchObject({ message });
    expect(end.code).toBe(0);
  });

  it('has shown the step that ended the process, or never yields', async () => {
    const exited = host('stray');
    expect(await exited.attempt({ input: { how: 'exit' } })).toMatchObject({ result: null, code: 3 });
    expect(exited.outline).toEqual(['0 step exits intended']);
    const spinning = host('stray');
    await spinning.attempt({ input: { how: 'spin' }, killAt: 'spins@after-intent' });
    expect(spinning.outline).toEqual(['0 step spins intended']);
  });

  it('cannot change a result that has been said', async () => {
    const end = await run('stray', { how: 'late' });
    expect(end.result?.outcome).toEqual({ ok: true, value: '"returned"' });
    expect(end.frames.at(-1)).toBe(end.result);
  });

  it.each([
    ['no-run', 'the entry\'s export "run" is string; expected a function'],
    ['bad-import', 'the entry cannot start'],
  ])('is an entry that cannot be run (%s)', async (relay, message) => {
    expect(errorOf(await run(relay, {}))).toMatchObject({ message });
  });

  it('is the host’s own end: the process goes too', async () => {
    const gone = host('stray');
    const end = await gone.attempt({ input: { how: 'rejection' }, hangUpAt: 'intend' });
    expect(end).toMatchObject({ result: null, code: 1 });
  });
});
