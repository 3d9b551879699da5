import { z } from 'zod';
import { secretRules } from '../core/index.ts';

export const secretName = z.string().regex(secretRules.name, `expected ${secretRules.nameWords}`);

/** How values are kept: readable in a file of the user's own, or encrypted with a key of the system's key store. */
const keeping = z.enum(['plain', 'key-store']);

const keptSecret = z.strictObject({
  name: secretName,
  /** Milliseconds since 1970. */
  changedAt: z.number(),
  kept: keeping,
  /** Why its value cannot be had in this host, null when it can. */
  problem: z.string().nullable(),
});

/** The vault without its values: no call and no feed gives one. */
export const vaultState = z.strictObject({
  /** How a value is kept that is set now. */
  keeping,
  /** The same in words, with the file. */
  words: z.string(),
  /** In the order of their names. */
  secrets: z.array(keptSecret),
});
export type VaultState = z.infer<typeof vaultState>;

/** Calls of the client API on the lab's vault. */
export const vaultCalls = {
  'vault/list': {
    takes: z.strictObject({}),
    gives: vaultState.extend({
      /** Which known relays ask for which secret; `granted` is null while nobody has decided on it. */
      asked: z.array(z.strictObject({ name: secretName, relay: z.string(), granted: z.boolean().nullable() })),
    }),
  },
  /** Keeps a value under a name, in place of the one before. Resolves when it is durable. */
  'vault/set': { takes: z.strictObject({ name: secretName, value: z.string() }), gives: keptSecret },
  'vault/remove': { takes: z.strictObject({ name: secretName }), gives: z.null() },
} satisfies Record<string, { takes: z.ZodType; gives: z.ZodType }>;
