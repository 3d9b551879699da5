import type { RunFileContent } from '../../runtime/contract/index.ts';

const bytesInLine = 16;

/** Bytes as a hex dump: offset, sixteen bytes, and their signs. `offset` is that of the first. */
export function hexLines(bytes: Uint8Array, offset: number): string[] {
  const lines: string[] = [];
  for (let from = 0; from < bytes.length; from += bytesInLine) {
    const part = [...bytes.subarray(from, from + bytesInLine)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0'));
    const halves = [hex.slice(0, 8).join(' ').padEnd(23), hex.slice(8).join(' ').padEnd(23)].join('  ');
    const signs = part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${(offset + from).toString(16).padStart(8, '0')}  ${halves}  ${signs}`);
  }
  return lines;
}

/** Most text that is indented anew: more would take the page's time for something that nobody reads. */
const longestPretty = 512 * 1024;

/** A file as far as it was read, in lines. JSON that is there whole is indented; binary is a hex dump. */
export function fileLines(parts: readonly RunFileContent[]): {
  readonly lines: readonly string[];
  readonly form: string;
} {
  const [first] = parts;
  if (first === undefined) return { lines: [], form: 'text' };
  if (first.encoding === 'base64') {
    const lines = parts.flatMap(({ content, offset }) => hexLines(bytesOf(content), offset));
    return { lines, form: 'binary' };
  }
  const text = parts.map(({ content }) => content).join('');
  const isWhole = first.offset === 0 && parts.at(-1)?.next === null;
  const pretty = isWhole && first.path.endsWith('.json') && text.length <= longestPretty ? indented(text) : null;
  return pretty === null
    ? { lines: text.split('\n'), form: 'text' }
    : { lines: pretty.split('\n'), form: 'JSON, indented' };
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
}

function indented(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null;
  }
}
