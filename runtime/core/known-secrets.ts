/** A secret as a host knows it while it lives. */
export interface KnownSecret {
  readonly name: string;
  readonly value: string;
}

/** The values that must not reach any record. A value that was replaced or removed stays known until the host ends. */
export interface KnownSecrets {
  list(): readonly KnownSecret[];
  /** Calls back after each change of the vault. Returns the way to stop. */
  onChange(listener: () => void): () => void;
}

/** What a secret may be called and how long it may be, in UTF-16 units. */
export const secretRules = {
  name: /^[A-Z][A-Z0-9_]{0,63}$/,
  nameWords: '1 to 64 capital letters, digits or "_", led by a letter',
  leastLength: 8,
  mostLength: 16_384,
} as const;

/** What is wrong with a value, as the end of a sentence that begins with its name; null when nothing is. */
export function secretValueProblem(value: string): string | null {
  const { leastLength, mostLength } = secretRules;
  if (value.length < leastLength) {
    return `is ${value.length} characters long; expected at least ${leastLength}, because a shorter text cannot be kept out of records: it stands in them by chance`;
  }
  if (value.length > mostLength) return `is ${value.length} characters long; expected at most ${mostLength}`;
  if (value.includes('\0')) return 'holds a NUL character; expected none';
  // Half of a pair would be changed on its way to a file, so that it could not be found again.
  return value.isWellFormed() ? null : 'holds half of a surrogate pair; expected well-formed text';
}
