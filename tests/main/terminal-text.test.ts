import { describe, expect, it } from 'vitest';
import { printable } from '../../main/output.ts';
import { table } from '../../main/table.ts';

describe('table', () => {
  it('aligns cells by what is seen of them, not by their colours', () => {
    expect(
      table([
        ['a', '\u001b[31mlong\u001b[39m', 'x'],
        ['bbb', 's', 'y'],
      ]),
    ).toEqual(['a    \u001b[31mlong\u001b[39m  x', 'bbb  s     y']);
  });
});

describe('printable', () => {
  it('shows what would steer the terminal', () => {
    expect(printable('a\u001b[2Jb\nc\u009b')).toBe('a\\x1b[2Jb\\nc\\x9b');
  });
});
