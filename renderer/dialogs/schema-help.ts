import type { Json } from '../../runtime/contract/index.ts';

export type Schema = Readonly<Record<string, Json>>;

/** What a place in a JSON document may hold, for completion. */
export interface Suggestion {
  readonly label: string;
  /** JSON text to put there. */
  readonly insert: string;
  readonly detail: string;
  readonly description: string;
}

/** The schema of a place: a key of an object, an index of an array. Null where the schema says nothing. */
export function schemaAt(root: Schema, path: readonly (string | number)[]): Schema | null {
  const found = placesAt(root, path);
  return found.length === 0 ? null : merged(found);
}

function below(schema: Schema, step: string | number): Schema[] {
  if (typeof step === 'number') {
    const listed = asList(schema['prefixItems'])[step] ?? schema['items'];
    return isSchema(listed) ? [listed] : [];
  }
  const named = isSchema(schema['properties']) ? schema['properties'][step] : undefined;
  const found = named ?? schema['additionalProperties'];
  return isSchema(found) ? [found] : [];
}

/** The schema itself with what it refers to and is made of, each once. */
function alternatives(root: Schema, schema: Schema, seen = new Set<Schema>()): Schema[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const made = ['allOf', 'anyOf', 'oneOf'].flatMap((word) => asList(schema[word]));
  const referred = typeof schema['$ref'] === 'string' ? [referTo(root, schema['$ref'])] : [];
  return [schema, ...[...referred, ...made].filter(isSchema).flatMap((one) => alternatives(root, one, seen))];
}

function referTo(root: Schema, reference: string): Json | undefined {
  if (!reference.startsWith('#')) return undefined;
  let place: Json | undefined = root;
  for (const part of reference.split('/').slice(1)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    place = isSchema(place) ? place[key] : undefined;
  }
  return place;
}

/** Keys that an object at this place may have and has not yet, those that it must have first. */
export function keysAt(root: Schema, path: readonly (string | number)[], present: readonly string[]): Suggestion[] {
  const places = placesAt(root, path);
  const required = new Set(places.flatMap((schema) => asList(schema['required'])));
  const properties = merged(places.map((schema) => schema['properties']).filter(isSchema));
  return Object.entries(properties)
    .filter(([key]) => !present.includes(key))
    .map(([key, schema]) => ({
      label: key,
      insert: `${JSON.stringify(key)}: ${beginOf(isSchema(schema) ? (schemaAt(root, [...path, key]) ?? schema) : {})}`,
      detail: [shape(isSchema(schema) ? schema : {}), ...(required.has(key) ? ['required'] : [])].join(', '),
      description: text(isSchema(schema) ? schema['description'] : null),
    }))
    .sort((a, b) => Number(required.has(b.label)) - Number(required.has(a.label)));
}

function merged(schemas: readonly Schema[]): Schema {
  return schemas.reduce((whole, schema) => ({ ...whole, ...schema }), {});
}

function placesAt(root: Schema, path: readonly (string | number)[]): Schema[] {
  let places: readonly Schema[] = [root];
  for (const step of path) {
    places = places.flatMap((schema) => alternatives(root, schema)).flatMap((schema) => below(schema, step));
  }
  return places.flatMap((schema) => alternatives(root, schema));
}

/** Values that are named for this place: those it is limited to, its default and its examples. */
export function valuesAt(root: Schema, path: readonly (string | number)[]): Suggestion[] {
  const schema = schemaAt(root, path);
  if (schema === null) return [];
  const named: readonly (readonly [Json, string])[] = [
    ...('const' in schema ? [[schema['const'], 'the only value'] as const] : []),
    ...asList(schema['enum']).map((value) => [value, 'allowed'] as const),
    ...('default' in schema ? [[schema['default'], 'default'] as const] : []),
    ...asList(schema['examples']).map((value) => [value, 'example'] as const),
    ...(schema['type'] === 'boolean' ? [true, false].map((value) => [value, 'boolean'] as const) : []),
  ];
  const seen = new Set<string>();
  return named
    .map(([value, detail]) => ({ value: JSON.stringify(value), detail }))
    .filter(({ value }) => seen.size < seen.add(value).size)
    .map(({ value, detail }) => ({ label: value, insert: value, detail, description: '' }));
}

/** A schema in one line: `string, 1 to 2000 signs`, `one of "admit", "mcp"`. */
export function shape(schema: Schema): string {
  if ('const' in schema) return JSON.stringify(schema['const']);
  const listed = asList(schema['enum']);
  if (listed.length > 0) return `one of ${listed.map((one) => JSON.stringify(one)).join(', ')}`;
  const type = Array.isArray(schema['type']) ? schema['type'].join(' or ') : text(schema['type']);
  const limits = [
    range(schema['minimum'] ?? schema['exclusiveMinimum'], schema['maximum'] ?? schema['exclusiveMaximum'], ''),
    range(schema['minLength'], schema['maxLength'], ' signs'),
    range(schema['minItems'], schema['maxItems'], ' items'),
    typeof schema['pattern'] === 'string' ? `like ${schema['pattern']}` : '',
    typeof schema['format'] === 'string' ? schema['format'] : '',
  ];
  return [type === '' ? 'any value' : type, ...limits.filter((limit) => limit !== '')].join(', ');
}

function range(least: Json | undefined, most: Json | undefined, unit: string): string {
  if (typeof least === 'number' && typeof most === 'number') return `${least} to ${most}${unit}`;
  if (typeof least === 'number') return `at least ${least}${unit}`;
  return typeof most === 'number' ? `at most ${most}${unit}` : '';
}

/** What a value of this schema begins with, to be filled in. */
function beginOf(schema: Schema): string {
  const known =
    'const' in schema ? schema['const'] : 'default' in schema ? schema['default'] : asList(schema['enum'])[0];
  if (known !== undefined) return JSON.stringify(known);
  const begins: Readonly<Record<string, string>> = {
    string: '""',
    object: '{}',
    array: '[]',
    boolean: 'true',
    null: 'null',
  };
  return begins[text(schema['type'])] ?? '';
}

function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function isSchema(value: Json | undefined): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
