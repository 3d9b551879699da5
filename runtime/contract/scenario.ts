import { z } from 'zod';

/** What a scenario is to show, one by one. Names are unique in it. */
const expectation = z.strictObject({ name: z.string(), expected: z.string() });

export const scenario = z.strictObject({
  name: z.string(),
  title: z.string(),
  relay: z.string(),
  crashPlan: z.array(z.string()),
  expects: z.array(expectation),
});
export type ScenarioRow = z.infer<typeof scenario>;

const evidence = z.strictObject({ name: z.string(), expected: z.string(), actual: z.string(), ok: z.boolean() });
export type Evidence = z.infer<typeof evidence>;

export const scenarioResult = z.strictObject({
  scenario: z.string(),
  ok: z.boolean(),
  runId: z.string().nullable(),
  evidence: z.array(evidence),
});
export type ScenarioResult = z.infer<typeof scenarioResult>;

/** A scenario that was asked for in this host, as far as it has come. */
export const scenarioProgress = z.strictObject({
  scenario: z.string(),
  state: z.enum(['queued', 'playing', 'proved', 'failed', 'cancelled']),
  startedAt: z.number().nullable(),
  finishedAt: z.number().nullable(),
  /** The runs that it has started so far, in order. */
  runs: z.array(z.string()),
  /** `actual` and `ok` are null while a piece is pending. */
  evidence: z.array(
    z.strictObject({
      name: z.string(),
      expected: z.string(),
      actual: z.string().nullable(),
      ok: z.boolean().nullable(),
    }),
  ),
});
export type ScenarioProgress = z.infer<typeof scenarioProgress>;
