/** Longest beginning of an escape sequence that is held back for its end. */
const longestHeld = 4096;

/** An escape sequence that has begun and not ended: alone, CSI, or a string such as OSC. */
const unended = /^\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b]*|[ -/]*)$/;

/** Bytes of one stream as text that ends at whole characters and whole escape sequences, so that others may go between. */
export interface StreamText {
  take(bytes: Uint8Array): string;
  /** What is held back. */
  end(): string;
}

export function openStreamText(): StreamText {
  const decoder = new TextDecoder();
  let held = '';
  const release = (text: string): string => {
    const last = text.lastIndexOf('\x1b');
    const tail = last === -1 ? '' : text.slice(last);
    held = tail.length <= longestHeld && unended.test(tail) ? tail : '';
    return text.slice(0, text.length - held.length);
  };
  return {
    take: (bytes) => release(held + decoder.decode(bytes, { stream: true })),
    end() {
      const rest = held + decoder.decode();
      held = '';
      return rest;
    },
  };
}
