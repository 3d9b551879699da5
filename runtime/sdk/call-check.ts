import { LabError } from '../core/index.ts';

/** Refuses a call's options: `call` says which, `found` what stands there. */
export function refuse(call: string, found: string, expected: string): never {
  throw new LabError('invalid-input', `${call}: ${found}; expected ${expected}`);
}

/** Refuses options that are no object, or that have a key besides the known ones. */
export function checkKeys(call: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null) refuse(call, `called with ${typeof options}`, 'an object');
  const strange = Object.keys(options).find((key) => !known.includes(key));
  if (strange !== undefined) refuse(call, `there is no option ${JSON.stringify(strange)}`, known.join(', '));
}

/** Refuses anything but a list of texts of that length. */
export function checkTexts(call: string, name: string, value: unknown, least: number, most: number): void {
  const count = Array.isArray(value) ? value.length : -1;
  if (count < least || count > most) {
    refuse(call, `${name} has ${count < 0 ? typeof value : `${count} entries`}`, `a list of ${least} to ${most} texts`);
  }
  const wrong = (value as unknown[]).findIndex((one) => typeof one !== 'string');
  if (wrong >= 0) refuse(call, `${name}[${wrong}] is ${typeof (value as unknown[])[wrong]}`, 'a text');
}
