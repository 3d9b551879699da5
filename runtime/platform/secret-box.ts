/** How the values of a vault are kept; an entry says which of these kept it. */
export type Keeping = 'plain' | 'key-store';

/** Turns values into what is written to the vault's file, and back. A host brings the one that its system offers. */
export interface SecretBox {
  readonly keeping: Keeping;
  /** How values are kept in that file, for a person. */
  words(file: string): string;
  protect(value: string): Promise<string>;
  /** Rejects for what it did not protect, or cannot open any more. */
  unprotect(kept: string): Promise<string>;
}

/** Keeps values as they are. `why` says why nothing better is there, as the end of a sentence. */
export function plainBox(why = 'only the desktop app encrypts them'): SecretBox {
  return {
    keeping: 'plain',
    words: (file) => `values are kept readable by your user in ${file} (mode 0600): ${why}`,
    protect: (value) => Promise.resolve(value),
    unprotect: (kept) => Promise.resolve(kept),
  };
}
