import { describe, expect, it } from 'vitest';
import { readLaunchWords, withDataDir } from '../../main/desktop/launch-words.ts';

describe('the words that the app is started with', () => {
  it.each([
    [[], { dataDir: null, ephemeral: false }],
    [['--data-dir', '/a'], { dataDir: '/a', ephemeral: false }],
    [['--no-sandbox', '--data-dir=/a', '--lang=de'], { dataDir: '/a', ephemeral: false }],
    [['--ephemeral'], { dataDir: null, ephemeral: true }],
  ])('%j', (words, expected) => {
    expect(readLaunchWords(words)).toEqual(expected);
  });

  it.each([[['--data-dir']], [['--ephemeral', '--data-dir', '/a']]])(
    'are refused when they say nothing: %j',
    (words) => {
      expect(() => readLaunchWords(words)).toThrow(expect.objectContaining({ code: 'invalid-input' }));
    },
  );

  it.each([
    [['.'], ['.', '--data-dir', '/b']],
    [
      ['.', '--data-dir', '/a', '--lang=de'],
      ['.', '--lang=de', '--data-dir', '/b'],
    ],
    [
      ['--data-dir=/a', '--ephemeral'],
      ['--data-dir', '/b'],
    ],
  ])('name another data folder: %j', (words, expected) => {
    expect(withDataDir(words, '/b')).toEqual(expected);
  });
});
