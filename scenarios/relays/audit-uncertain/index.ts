import { DBOS } from '@dbos-inc/dbos-sdk';
import { service, type LegacyContext } from 'agentworks';

interface Written {
  line: number;
}

/** The audit log appends whatever it gets: nothing here makes a second request harmless, and no flag claims so. */
async function writeLine(line: string): Promise<Written> {
  const answer = await fetch(`${await service('audit-log')}/lines`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Request-Reference': `${DBOS.workflowID}:${DBOS.stepID}` },
    body: JSON.stringify({ line }),
  });
  if (!answer.ok) throw new Error(`the audit log answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Written;
}

export async function run(input: { line: string }, ctx: LegacyContext): Promise<object> {
  const subject = await ctx.step('prepare-line', () => input.line.trim());
  const written = await ctx.step('write-line', writeLine, { arguments: subject });
  return ctx.step('sign-off', () => ({ subject, written }));
}
