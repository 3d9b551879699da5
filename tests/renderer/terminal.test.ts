import { describe, expect, it } from 'vitest';
import { openOutputPump } from '../../renderer/terminal/output-pump.ts';
import { openStreamText } from '../../renderer/terminal/stream-text.ts';
import { openTranscript } from '../../renderer/terminal/transcript.ts';
import { RunStory } from './run-story.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
/** Text without colours, line by line. */
const plain = (text: string): string[] =>
  text
    .replaceAll(/\x1b\[[\d;]*m/g, '')
    .replaceAll(/ · \d\d:\d\d:\d\d\.\d{3}/g, '')
    .split(/\r?\n/)
    .filter(Boolean);

describe('openStreamText', () => {
  it('holds back a character that is cut, and gives it whole', () => {
    const stream = openStreamText();
    const whole = bytes('ü→😀');
    let text = '';
    for (const byte of whole) text += stream.take(Uint8Array.of(byte));
    expect(text).toBe('ü→😀');
  });

  it.each(['\x1b', '\x1b[', '\x1b[38;5', '\x1b]0;a title', '\x1b]52;c;', '\x1b('])(
    'holds back %j until its end is there',
    (begun) => {
      const stream = openStreamText();
      expect(stream.take(bytes(`a${begun}`))).toBe('a');
      expect(stream.take(bytes('m\x07b'))).toBe(`${begun}m\x07b`);
    },
  );

  it('lets go of what has an end, of what grows without one, and of all at the end', () => {
    const stream = openStreamText();
    expect(stream.take(bytes('\x1b[31mred'))).toBe('\x1b[31mred');
    const endless = `\x1b]0;${'x'.repeat(5000)}`;
    expect(stream.take(bytes(endless))).toBe(endless);
    expect(stream.take(bytes('a\x1b['))).toBe('a');
    expect(stream.end()).toBe('\x1b[');
    expect(stream.end()).toBe('');
  });
});

describe('openTranscript', () => {
  const first = new RunStory().attempt();
  const running = first.history().attempts;
  const dead = first.killed().history().attempts;
  const second = first.attempt().history().attempts;

  it('puts output between a line that names the process and one that says what ended it', () => {
    const transcript = openTranscript();
    const text =
      transcript.know(running) +
      transcript.take(1, 'stdout', bytes('hello\n')) +
      transcript.take(1, 'stderr', bytes('oh')) +
      transcript.know(dead) +
      transcript.endsAt(1, { stdout: 6, stderr: 2 }) +
      transcript.know(second) +
      transcript.take(2, 'stdout', bytes('again\n'));
    expect(plain(text)).toEqual([
      ...['── attempt 1 · pid 101 ──', 'hello', 'oh', '── attempt 1 ended: it was ended by SIGKILL ──'],
      ...['── attempt 2 · pid 102 ──', 'again'],
    ]);
    expect(text).toContain('\x1b[33moh\x1b[39m');
  });

  it('writes the end of an attempt only after all that it wrote, however early its end is known', () => {
    const transcript = openTranscript();
    expect(plain(transcript.know(second))).toEqual(['── attempt 1 · pid 101 ──']);
    expect(transcript.endsAt(1, { stdout: 4, stderr: 0 })).toBe('');
    expect(plain(transcript.take(1, 'stdout', bytes('ab')))).toEqual(['ab']);
    expect(plain(transcript.take(1, 'stdout', bytes('cd')))).toEqual([
      ...['cd', '── attempt 1 ended: it was ended by SIGKILL ──', '── attempt 2 · pid 102 ──'],
    ]);
  });

  it('shows an attempt that wrote nothing, and ends one whose size never comes when the next one writes', () => {
    const transcript = openTranscript();
    transcript.know(second);
    expect(plain(transcript.endsAt(1, { stdout: 0, stderr: 0 }))).toEqual([
      ...['── attempt 1 ended: it was ended by SIGKILL ──', '── attempt 2 · pid 102 ──'],
    ]);
    const other = openTranscript();
    other.know(second);
    expect(plain(other.take(2, 'stdout', bytes('x\n')))).toEqual([
      ...['── attempt 1 ended: it was ended by SIGKILL ──', '── attempt 2 · pid 102 ──', 'x'],
    ]);
  });

  it('does not put colours of stderr into a sequence of stdout that is cut', () => {
    const transcript = openTranscript();
    transcript.know(running);
    const text =
      transcript.take(1, 'stdout', bytes('a\x1b[3')) +
      transcript.take(1, 'stderr', bytes('oh')) +
      transcript.take(1, 'stdout', bytes('1mb'));
    expect(text).toBe('a\x1b[33moh\x1b[39m\x1b[31mb');
  });
});

describe('openOutputPump', () => {
  /** A terminal whose writes end, and whose frames come, when the test says. */
  function target() {
    const written: string[] = [];
    let frames = 0;
    return {
      written,
      frames: () => frames,
      write: (text: string) => Promise.resolve(void written.push(text)),
      nextFrame: () => Promise.resolve(void (frames += 1)),
    };
  }

  it('writes all in order, never more than 64 KiB in a frame', async () => {
    const to = target();
    const pump = openOutputPump(to);
    const texts = Array.from({ length: 40 }, (_, place) => String(place % 10).repeat(50_000));
    for (const text of texts) await pump.add(text);
    while (to.written.join('').length < 2_000_000) await Promise.resolve();
    expect(to.written.join('')).toBe(texts.join(''));
    expect(Math.max(...to.written.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
    expect(to.frames()).toBeGreaterThanOrEqual(to.written.length - 1);
  });

  it('lets who gives wait while much is waiting, and go on when there is room', async () => {
    let release: () => void = () => undefined;
    const written: string[] = [];
    const pump = openOutputPump({
      nextFrame: () => Promise.resolve(),
      write(text) {
        written.push(text);
        return new Promise((resolve) => (release = resolve));
      },
    });
    await pump.add('a'.repeat(100));
    const state = { isIn: false };
    const added = pump.add('b'.repeat(300_000)).then(() => (state.isIn = true));
    await new Promise(setImmediate);
    expect(state.isIn).toBe(false);
    while (!state.isIn) {
      release();
      await new Promise(setImmediate);
    }
    await added;
    expect(written.length).toBeLessThan(5);
    pump.stop();
  });

  it('lets those who wait go when it is stopped, and writes nothing more', async () => {
    const written: string[] = [];
    const pump = openOutputPump({
      nextFrame: () => Promise.resolve(),
      write: (text) => {
        written.push(text);
        return new Promise(() => undefined);
      },
    });
    const waiting = pump.add('c'.repeat(400_000));
    pump.stop();
    await waiting;
    await pump.add('later');
    expect(written).toHaveLength(1);
  });
});
