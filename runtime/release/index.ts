export { bindingsOf } from './run-bindings.ts';
export { checkInput } from './input-check.ts';
export { compileSchema } from './schema-check.ts';
export { openReleases } from './release-store.ts';
export type { Release, Releases } from './release-store.ts';
