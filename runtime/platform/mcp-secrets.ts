import type { KnownSecret } from '../core/index.ts';

/** The text with each of the secrets replaced by its name. */
export function withoutSecrets(text: string, secrets: readonly KnownSecret[]): string {
  return secrets.reduce((left, { name, value }) => left.replaceAll(value, `[secret ${name}]`), text);
}
