import { LabError } from '../core/index.ts';

/** How a value can be written: `json` as plain JSON text, `rich` only with superjson's annotations. */
export type Form = 'json' | 'rich';

const typedArrays = new Set<unknown>([
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  Buffer,
]);
const refusedKeys = new Set(['__proto__', 'constructor', 'prototype']);
const deepest = 1000;

/**
 * Walks a value before it is serialised. Throws `invalid-input` with the path of the first part that would not come
 * back as it was. `jsonOnly` is for a run's result and for what goes to other programs: there only JSON passes, and
 * `undefined` counts as absent.
 */
export function inspect(value: unknown, root: string, jsonOnly = false): Form {
  if (isFlatJson(value)) return 'json';
  return new Inspection(root, jsonOnly).begin(value);
}

/** What most steps take and give, told apart without the bookkeeping for what is nested. */
function isFlatJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isJsonLeaf(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Array.prototype) return (value as unknown[]).every(isJsonLeaf);
  if (prototype !== Object.prototype) return false;
  for (const key in value) {
    if (refusedKeys.has(key) || !isJsonLeaf((value as Record<string, unknown>)[key])) return false;
  }
  return true;
}

function isJsonLeaf(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0);
    default:
      return value === null;
  }
}

class Inspection {
  readonly #root: string;
  readonly #jsonOnly: boolean;
  readonly #path: (string | number)[] = [];
  /** Objects met so far: their depth while they are being walked, -1 afterwards. */
  readonly #seen = new Map<object, number>();
  #form: Form = 'json';

  constructor(root: string, jsonOnly: boolean) {
    this.#root = root;
    this.#jsonOnly = jsonOnly;
  }

  begin(value: unknown): Form {
    this.#visit(value);
    return this.#form;
  }

  #visit(value: unknown): void {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return;
      case 'number':
        if (!Number.isFinite(value)) this.#rich(`is ${value}`);
        else if (Object.is(value, -0) && !this.#jsonOnly) this.#form = 'rich';
        return;
      case 'undefined':
        if (!this.#jsonOnly) this.#form = 'rich';
        return;
      case 'bigint':
        return this.#rich('is a BigInt');
      case 'function':
        return this.#refuse(`is a function${value.name === '' ? '' : ` (${value.name})`}`);
      case 'symbol':
        return this.#refuse('is a symbol');
      case 'object':
        if (value !== null) this.#visitObject(value);
    }
  }

  #visitObject(value: object): void {
    const seenAt = this.#seen.get(value);
    if (seenAt !== undefined) {
      if (seenAt >= 0) this.#refuse(`refers back to ${this.#pathText(seenAt)} (a cycle)`);
      // The same object twice: superjson keeps the identity, JSON makes two of it.
      if (!this.#jsonOnly) this.#form = 'rich';
      return;
    }
    if (this.#path.length > deepest) this.#refuse(`is nested deeper than ${deepest} levels`);
    this.#seen.set(value, this.#path.length);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || prototype === null) this.#visitFields(value);
    else if (prototype === Array.prototype) this.#visitItems(value as unknown[]);
    else this.#visitInstance(value);
    this.#seen.set(value, -1);
  }

  #visitFields(value: object): void {
    for (const key of Object.keys(value)) {
      this.#path.push(key);
      if (refusedKeys.has(key)) this.#refuse('has a name that would change the object itself');
      this.#visit((value as Record<string, unknown>)[key]);
      this.#path.pop();
    }
  }

  #visitItems(items: Iterable<unknown>): void {
    let index = 0;
    for (const item of items) {
      this.#path.push(index++);
      this.#visit(item);
      this.#path.pop();
    }
  }

  #visitInstance(value: object): void {
    // JSON has a form of its own for these: the text that a reader of any JSON would expect.
    if (this.#jsonOnly && (value instanceof Date || value instanceof URL)) return;
    if (value instanceof Map) {
      this.#rich('is a Map');
      this.#visitItems([...value].flat());
    } else if (value instanceof Set) {
      this.#rich('is a Set');
      this.#visitItems(value);
    } else if (value instanceof Error) {
      this.#rich('is an Error');
      this.#path.push('cause');
      this.#visit(value.cause);
      this.#path.pop();
    } else if (
      value instanceof Date ||
      value instanceof RegExp ||
      value instanceof URL ||
      typedArrays.has(value.constructor)
    ) {
      this.#rich(`is a ${value.constructor.name}`);
    } else {
      const hint = value instanceof Promise ? ' (was an await forgotten?)' : '';
      this.#refuse(`is an instance of ${value.constructor.name}${hint}`);
    }
  }

  #rich(what: string): void {
    if (this.#jsonOnly) this.#refuse(`${what}, which is not JSON`);
    this.#form = 'rich';
  }

  #refuse(what: string): never {
    const path = this.#pathText(this.#path.length);
    throw new LabError(
      'invalid-input',
      this.#jsonOnly
        ? `${path} ${what}; only JSON can be passed here`
        : `${path} ${what} and cannot be kept in history`,
      'Return and pass plain data.',
      { path },
    );
  }

  #pathText(length: number): string {
    return this.#path.slice(0, length).reduce<string>((text, key) => {
      if (typeof key === 'number') return `${text}[${key}]`;
      return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? `${text}.${key}` : `${text}[${JSON.stringify(key)}]`;
    }, this.#root);
  }
}
