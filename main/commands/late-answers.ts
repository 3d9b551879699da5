import { offeredAnswer, type LabClient, type RunDetail } from '../../runtime/contract/index.ts';
import { printable } from '../output.ts';

/** Of each operation that waits for a decision, the answer that came after its process had died, and how to accept it. */
export async function lateAnswerLines(
  client: Pick<LabClient, 'call'>,
  { run, operations }: Pick<RunDetail, 'run' | 'operations'>,
): Promise<string[]> {
  const lines: string[] = [];
  for (const { id, name } of operations.filter(({ uncertain }) => uncertain)) {
    const late = offeredAnswer(await client.call('run/operation', { run: run.id, operation: id }));
    if (late === null) continue;
    const at = new Date(late.at).toISOString();
    const value = JSON.stringify(late.value);
    lines.push(
      '',
      `operation ${id} ${printable(name)}: ${printable(late.source)} answered at ${at}, when the process was gone:`,
      `  ${printable(value.length > 200 ? `${value.slice(0, 200)}… (${value.length} characters)` : value)}`,
      `  to accept that answer: recovery-lab run reconcile ${run.id} --operation ${id} --accept-late`,
    );
  }
  return lines;
}
