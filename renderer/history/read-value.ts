/** A recorded value as a person reads it. */
export interface ReadableValue {
  /** Indented JSON, or the text itself where it is none. */
  readonly text: string;
  /** What JSON alone cannot say, by path: `createdAt` is a `Date`. */
  readonly kinds: readonly { readonly path: string; readonly kind: string }[];
}

/** Reads the superjson text of arguments and results: `{"json": …, "meta": {"values": …}}`. */
export function readValue(text: string): ReadableValue {
  const parsed = parse(text);
  if (!isObject(parsed) || !('json' in parsed)) return { text: indent(parsed, text), kinds: [] };
  const meta = isObject(parsed['meta']) ? parsed['meta'] : {};
  return { text: indent(parsed['json'] ?? null, text), kinds: kindsOf(meta['values'], '') };
}

function indent(value: unknown, text: string): string {
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/** The arguments of an operation as `readValue` takes them: a journaled tool's are plain JSON, with nothing around. */
export function recordedArguments(kind: string, text: string): string {
  return kind === 'tool' ? `{"json":${text}}` : text;
}

/** superjson writes a leaf as `["Date"]`, one with leaves below it as `["map", {…}]`, and the rest as `{key: …}`. */
function kindsOf(node: unknown, path: string): { path: string; kind: string }[] {
  if (Array.isArray(node)) {
    const [kind, below] = node as [unknown, unknown];
    const name = Array.isArray(kind) ? kind.map(String).join(' ') : String(kind);
    return [{ path: path === '' ? 'the value' : path, kind: name }, ...kindsOf(below, path)];
  }
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([key, one]) => kindsOf(one, path === '' ? key : `${path}.${key}`));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
