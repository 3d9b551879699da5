import { z } from 'zod';
import { json, jsonObject } from './json-schema.ts';

/**
 * `fixtures/AGENT.json` of a relay: what its agent says under the `fixture` provider. Turns are taken in order; a turn
 * with `text` or `json` ends the answer to one user message, so a call with two messages needs two of them.
 * In every text `{{TOOL.path}}` stands for the tool's last result and `{{message.path}}` for the user's message.
 */
const toolCallTurn = z.strictObject({
  toolCalls: z.array(z.strictObject({ name: z.string().min(1), arguments: jsonObject.default({}) })).min(1),
});
const textTurn = z.strictObject({ text: z.string() });
const jsonTurn = z.strictObject({ json });

export const fixtureScript = z.strictObject({ turns: z.array(z.union([toolCallTurn, textTurn, jsonTurn])).min(1) });
export type FixtureScript = z.infer<typeof fixtureScript>;
