import { json } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { jsonPlace } from '../../renderer/dialogs/json-place.ts';

/** The place of the bar in the text. */
function at(text: string) {
  const state = EditorState.create({ doc: text.replace('|', ''), extensions: [json()] });
  return jsonPlace(state, text.indexOf('|'));
}

describe('jsonPlace', () => {
  it('is a key in an object that is open, with the keys that stand there already', () => {
    expect(at('{"a": 1, |}')).toMatchObject({ role: 'key', path: [], present: ['a'] });
    expect(at('{|')).toMatchObject({ role: 'key', path: [], present: [] });
  });

  it('takes the key that is being written as what is to be replaced, and not as present', () => {
    expect(at('{"te|')).toMatchObject({ role: 'key', path: [], present: [], from: 1, to: 4 });
    expect(at('{"a|b": 1, "c": 2}')).toMatchObject({ role: 'key', present: ['c'], from: 1, to: 5 });
  });

  it('is a value after a colon, with the way to it', () => {
    expect(at('{"a": {"b": |}}')).toMatchObject({ role: 'value', path: ['a', 'b'] });
    expect(at('{"a": "x|"}')).toMatchObject({ role: 'value', path: ['a'], from: 6, to: 9 });
  });

  it('counts the items of an array', () => {
    expect(at('[{"u": 1}, {|}]')).toMatchObject({ role: 'key', path: [1] });
    expect(at('{"l": [1, 2, |]}')).toMatchObject({ role: 'value', path: ['l', 2] });
  });

  it('is nothing behind a value, where only a comma can stand', () => {
    expect(at('{"a": 1 |}')).toBeNull();
  });
});
