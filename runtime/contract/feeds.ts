import { z } from 'zod';
import { labStatus } from './lab-state.ts';
import { mcpServerRow } from './mcp-calls.ts';
import { event, permission, run } from './run.ts';
import { scenarioProgress } from './scenario.ts';
import { vaultState } from './vault-calls.ts';

const outputPlace = z.strictObject({
  attempt: z.int().positive(),
  /** Bytes of each stream of that attempt that were given already. */
  stdout: z.int().nonnegative(),
  stderr: z.int().nonnegative(),
});

/**
 * What is pushed (DESIGN.md section 10). A feed with an `after` or a `from` goes on from there without gap or repeat;
 * one without gives the whole present state first and then what changes of it, so that following again is enough.
 */
export const feeds = {
  /** Events of a run after a sequence number, those that are there and those to come, in pages of at most 500. */
  'run/events': {
    takes: z.strictObject({ run: z.string().min(1).max(200), after: z.int().nonnegative() }),
    item: z.array(event),
  },
  /** Rows of runs that changed since the last item, each as it stands now. Follow first, then read the list. */
  'lab/runs': { takes: z.strictObject({}), item: z.array(run) },
  /** What the attempts of a run wrote, from a place on, through all its attempts. */
  'run/output': {
    takes: z.strictObject({ run: z.string().min(1).max(200), from: outputPlace }),
    item: z.strictObject({
      attempt: z.int().positive(),
      stream: z.enum(['stdout', 'stderr']),
      /** Of the first byte in that stream. */
      offset: z.int().nonnegative(),
      /** Base64 of at most 64 KiB. */
      data: z.string(),
    }),
  },
  /** Every scenario that was played in this host, then each one whose evidence or state changed. */
  'scenario/progress': { takes: z.strictObject({}), item: scenarioProgress },
  /** Counts of the lab, now and after each change, at most a few times a second. */
  'lab/status': { takes: z.strictObject({}), item: labStatus },
  /** All permissions, now and after each change. */
  'lab/permissions': { takes: z.strictObject({}), item: z.array(permission) },
  /** The vault without its values, now and after each change. */
  'lab/vault': { takes: z.strictObject({}), item: vaultState },
  /** The MCP servers of known relays, now and after each change, at most a few times a second. */
  'lab/mcp': { takes: z.strictObject({}), item: z.array(mcpServerRow) },
  /** Commands chosen in the window's own menu. Nothing comes where there is none. */
  'host/menu': { takes: z.strictObject({}), item: z.strictObject({ command: z.string() }) },
} satisfies Record<string, { takes: z.ZodType; item: z.ZodType }>;

/** Where to follow a feed again after an item, so that nothing is missing and nothing comes twice. */
export function resumeAfter<F extends keyof typeof feeds>(
  feed: F,
  input: z.output<(typeof feeds)[F]['takes']>,
  item: z.output<(typeof feeds)[F]['item']>,
): z.output<(typeof feeds)[F]['takes']> {
  const row = resumes[feed] as ((input: unknown, item: unknown) => unknown) | undefined;
  return row === undefined ? input : (row(input, item) as typeof input);
}

type Resume<F extends keyof typeof feeds> = (
  input: z.output<(typeof feeds)[F]['takes']>,
  item: z.output<(typeof feeds)[F]['item']>,
) => z.output<(typeof feeds)[F]['takes']>;

const resumes: { readonly [F in keyof typeof feeds]?: Resume<F> } = {
  'run/events': ({ run, after }, events) => ({ run, after: events.at(-1)?.sequence ?? after }),
  'run/output': ({ run, from }, { attempt, stream, offset, data }) => {
    const begun = attempt === from.attempt ? from : { attempt, stdout: 0, stderr: 0 };
    return { run, from: { ...begun, [stream]: offset + decodedLength(data) } };
  },
};

/** Bytes that base64 text stands for. */
function decodedLength(base64: string): number {
  return (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);
}
