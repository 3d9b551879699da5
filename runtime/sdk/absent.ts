import { LabError } from '../core/index.ts';

/** Throws the error for what only the other engine has. */
export function absent(what: string): never {
  throw new LabError(
    'not-supported',
    `${what} is not in the embedded engine; the dbos engine has it`,
    'Do without it, or run the relay with the dbos engine.',
  );
}

/** A class that a program may import but not use here. */
export function absentClass(name: string): object {
  return new Proxy(class {}, {
    construct: () => absent(name),
    get: (target, key): unknown =>
      key === 'name' || typeof key === 'symbol' ? Reflect.get(target, key) : absent(`${name}.${key}`),
  });
}
