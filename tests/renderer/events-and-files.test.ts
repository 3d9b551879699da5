import { describe, expect, it } from 'vitest';
import type { LabEvent, RunFileContent } from '../../runtime/contract/index.ts';
import { eventWords } from '../../renderer/events/event-words.ts';
import { filterEvents, sequenceWords } from '../../renderer/events/filter-events.ts';
import { fileLines, hexLines } from '../../renderer/files/file-text.ts';
import { RunStory } from './run-story.ts';

const all = { type: null, operation: null, text: '' };

describe('filterEvents', () => {
  const { events } = new RunStory()
    .attempt()
    .begin('1', 'reserve')
    .begin('1.0', 'call')
    .done('1.0')
    .done('1')
    .begin('10', 'x');
  const numbers = (filter: object): number[] =>
    filterEvents(events, { ...all, ...filter }).map(({ sequence }) => sequence);

  it('keeps all, in order, where nothing is asked', () => {
    expect(filterEvents(events, all)).toBe(events);
  });

  it('takes a type whole or by what it begins with', () => {
    expect(numbers({ type: 'operation.checkpointed' })).toEqual([5, 6]);
    expect(numbers({ type: 'operation' })).toEqual([3, 4, 5, 6, 7]);
    expect(numbers({ type: 'op' })).toEqual([]);
  });

  it('takes an operation with what is nested in it, and no other whose number begins alike', () => {
    expect(numbers({ operation: '1' })).toEqual([3, 4, 5, 6]);
  });

  it('wants every word, wherever it stands', () => {
    expect(numbers({ text: 'INTENDED call' })).toEqual([4]);
    expect(numbers({ text: 'attempt 1 101' })).toEqual([2]);
  });

  it('says that the numbers have no gap, or which are missing', () => {
    expect(sequenceWords(events)).toBe('#1–#7, no gap');
    expect(sequenceWords(events.filter(({ sequence }) => sequence !== 4))).toBe('#1–#7, missing #4');
    expect(sequenceWords(events.filter(({ sequence }) => ![1, 2, 5, 6].includes(sequence)))).toBe(
      '#3–#7, missing #1–#2, #5–#6',
    );
    expect(sequenceWords([])).toBe('no events');
  });
});

describe('eventWords', () => {
  it('says an event in one line, and shows data of another shape as it is', () => {
    const [event] = new RunStory().attempt().killed().events.slice(-1);
    if (event === undefined) throw new Error('no event');
    expect(eventWords(event)).toBe('it was ended by SIGKILL');
    const strange: LabEvent = { ...event, data: { what: 1 } };
    expect(eventWords({ ...strange, type: 'run.moved' })).toBe('{"what":1}');
  });
});

describe('a file as lines', () => {
  const part = (content: string, more: Partial<RunFileContent> = {}): RunFileContent => ({
    ...{ path: 'a.json', bytes: content.length, offset: 0, encoding: 'utf8', content, next: null },
    ...more,
  });

  it('indents JSON that is there whole, and only that', () => {
    expect(fileLines([part('{"a":[1]}')])).toEqual({
      lines: ['{', '  "a": [', '    1', '  ]', '}'],
      form: 'JSON, indented',
    });
    expect(fileLines([part('{"a":', { next: 5 })]).form).toBe('text');
    expect(fileLines([part('{"a":', { next: 5 }), part('1}', { offset: 5 })]).form).toBe('JSON, indented');
    expect(fileLines([part('{"a"\nb')])).toEqual({ lines: ['{"a"', 'b'], form: 'text' });
  });

  it('joins parts of text where a line is cut', () => {
    expect(fileLines([part('ab\nc', { path: 'x', next: 4 }), part('d\n', { path: 'x', offset: 4 })]).lines).toEqual([
      ...['ab', 'cd', ''],
    ]);
  });

  it('shows binary as hex with its offsets going on over parts', () => {
    const encode = (bytes: number[]): string => Buffer.from(bytes).toString('base64');
    const bytes = Array.from({ length: 18 }, (_, place) => place + 0x3e);
    const first = part(encode(bytes.slice(0, 16)), { encoding: 'base64', next: 16 });
    const { lines, form } = fileLines([first, part(encode(bytes.slice(16)), { encoding: 'base64', offset: 16 })]);
    expect(form).toBe('binary');
    expect(lines).toEqual([
      '00000000  3e 3f 40 41 42 43 44 45  46 47 48 49 4a 4b 4c 4d  >?@ABCDEFGHIJKLM',
      `00000010  4e 4f${' '.repeat(45)}NO`,
    ]);
    expect(hexLines(Uint8Array.of(0, 255), 0)[0]).toMatch(/\.\.$/);
  });
});
