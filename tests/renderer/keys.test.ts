import { describe, expect, it } from 'vitest';
import { isPressed } from '../../renderer/commands/keys.ts';

const plain = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, code: '' };

describe('isPressed', () => {
  it('takes Mod as ⌘ on a Mac and as Ctrl elsewhere', () => {
    expect(isPressed('Mod+K', { ...plain, ctrlKey: true, code: 'KeyK' }, false)).toBe(true);
    expect(isPressed('Mod+K', { ...plain, metaKey: true, code: 'KeyK' }, false)).toBe(false);
    expect(isPressed('Mod+K', { ...plain, metaKey: true, code: 'KeyK' }, true)).toBe(true);
  });

  it('goes by the place of the key, for ⌥ writes other letters', () => {
    expect(isPressed('Alt+3', { ...plain, altKey: true, code: 'Digit3' }, true)).toBe(true);
    expect(isPressed('Mod+,', { ...plain, ctrlKey: true, code: 'Comma' }, false)).toBe(true);
    expect(isPressed('Alt+R', { ...plain, altKey: true, code: 'KeyK' }, false)).toBe(false);
  });

  it('leaves what has one modifier more to others', () => {
    expect(isPressed('Alt+R', { ...plain, altKey: true, ctrlKey: true, code: 'KeyR' }, false)).toBe(false);
    expect(isPressed('Alt+R', { ...plain, altKey: true, shiftKey: true, code: 'KeyR' }, false)).toBe(false);
    expect(isPressed('Alt+R', { ...plain, code: 'KeyR' }, false)).toBe(false);
  });
});
