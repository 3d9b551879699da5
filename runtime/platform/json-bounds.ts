import { LabError, type Json } from '../core/index.ts';

/** Most bytes of JSON that a platform call hands to the relay: with all escapes it still fits one protocol frame. */
const resultBytes = 128 * 1024;

/** Most characters of JSON that a receipt keeps of a request or an answer. */
const receiptCharacters = 32 * 1024;

/** The value, or, when it is long, its beginning with a mark that says so. */
export function forReceipt(value: Json): Json {
  const text = JSON.stringify(value);
  if (text.length <= receiptCharacters) return value;
  return { cut: true, characters: text.length, beginning: text.slice(0, receiptCharacters) };
}

/** Throws `too-large` for a value that a relay cannot be given. */
export function checkResultSize(what: string, value: Json): Json {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes <= resultBytes) return value;
  throw new LabError(
    'too-large',
    `${what} answered with ${bytes} bytes of JSON; a relay is given at most ${resultBytes}`,
    'Ask for less, or for a page of it.',
    { bytes, limit: resultBytes },
  );
}
