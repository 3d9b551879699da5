import type { Json, JsonObject } from '../core/index.ts';

const placeholder = /\{\{\s*([^{}]+?)\s*\}\}/g;

/**
 * Replaces `{{NAME}}` and `{{NAME.path.0}}` in every text of a value, NAME being a key of `values`. A text that is one
 * placeholder and nothing else becomes the value itself; inside a longer text it becomes its text (JSON for what is
 * no text). `fail` makes the error for one that stands for nothing.
 */
export function fillPlaceholders(value: Json, values: ReadonlyMap<string, Json>, fail: (why: string) => Error): Json {
  const resolve = (expression: string): Json => {
    const found = lookUp(expression, values);
    if (found !== undefined) return found;
    throw fail(`{{${expression}}} stands for nothing; there is ${[...values.keys()].join(', ')}`);
  };
  const fill = (part: Json): Json => {
    if (typeof part === 'string') return fillText(part, resolve);
    if (part === null || typeof part !== 'object') return part;
    if (Array.isArray(part)) return part.map((item: Json) => fill(item));
    return Object.fromEntries(Object.entries(part as JsonObject).map(([key, item]) => [key, fill(item)]));
  };
  return fill(value);
}

function fillText(text: string, resolve: (expression: string) => Json): Json {
  const [first] = text.matchAll(placeholder);
  if (first?.[0] === text && first[1] !== undefined) return resolve(first[1]);
  return text.replace(placeholder, (_, expression: string) => {
    const found = resolve(expression);
    return typeof found === 'string' ? found : JSON.stringify(found);
  });
}

/** Names may hold dots themselves, so the longest name that begins the expression is meant. */
function lookUp(expression: string, values: ReadonlyMap<string, Json>): Json | undefined {
  const name = [...values.keys()]
    .filter((known) => expression === known || expression.startsWith(`${known}.`))
    .sort((a, b) => b.length - a.length)[0];
  if (name === undefined) return undefined;
  let found: Json | undefined = values.get(name);
  for (const key of expression.slice(name.length).split('.').filter(Boolean)) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, key)) return undefined;
    found = (found as JsonObject)[key];
  }
  return found;
}
