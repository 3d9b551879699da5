/** Milliseconds since 1970-01-01 UTC. */
export type EpochMs = number;

/** Time comes in as an argument, so that decisions stay pure and tests can move it. */
export interface Clock {
  now(): EpochMs;
}
