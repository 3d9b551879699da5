/** Whether ⌘ takes the place of Ctrl. */
export const isMac = /mac/i.test(navigator.platform);

/** Keys as they are written on this machine: `Ctrl+K`, `⌘K`, `⌥R`. */
export function keyWords(keys: string): string {
  return isMac ? keys.replace('Mod+', '⌘').replace('Alt+', '⌥') : keys.replace('Mod+', 'Ctrl+');
}

interface PressedKey {
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  /** The place of the key, such as `KeyR`. */
  readonly code: string;
}

/** Whether a pressed key is the one that is written. By place on the keyboard, for ⌥ changes the letter on a Mac. */
export function isPressed(keys: string, event: PressedKey, onMac: boolean): boolean {
  const [modifier = '', key = ''] = keys.split('+');
  const code = key === ',' ? 'Comma' : /\d/.test(key) ? `Digit${key}` : `Key${key}`;
  const wanted = {
    altKey: modifier === 'Alt',
    ctrlKey: modifier === 'Mod' && !onMac,
    metaKey: modifier === 'Mod' && onMac,
    shiftKey: false,
  };
  return (
    event.code === code &&
    event.altKey === wanted.altKey &&
    event.ctrlKey === wanted.ctrlKey &&
    event.metaKey === wanted.metaKey &&
    event.shiftKey === wanted.shiftKey
  );
}
