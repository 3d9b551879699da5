/** What a piece of evidence is about and what it is to say: data, so that it can be shown before anything runs. */
export interface Expectation {
  readonly name: string;
  readonly expected: string;
}

export interface Finding {
  readonly actual: string;
  readonly ok: boolean;
}

/** One piece of evidence: an expectation, and how to find out from facts whether it holds. */
export interface Claim<Facts> extends Expectation {
  look(this: void, facts: Facts): Finding;
}

/** Holds when what the facts say, in words, is word for word what is expected. */
export function says<Facts>(name: string, expected: string, tell: (facts: Facts) => string): Claim<Facts> {
  return {
    name,
    expected,
    look: (facts) => {
      const actual = tell(facts);
      return { actual, ok: actual === expected };
    },
  };
}

/** The same claims about one moment, or one run of several: its heading stands before each name. */
export function under<Facts>(heading: string, claims: readonly Claim<Facts>[]): Claim<Facts>[] {
  return claims.map((claim) => ({ ...claim, name: `${heading}: ${claim.name}` }));
}

/** `1 attempt`, `2 attempts`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** `once`, `twice`, `3 times`, `never`. */
export function times(count: number): string {
  return ['never', 'once', 'twice'][count] ?? `${count} times`;
}
