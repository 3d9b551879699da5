import { DBOS } from '@dbos-inc/dbos-sdk';
import { agent, service, tool } from 'agentworks';

interface Input {
  /** Names the entry within the run: what the log's reference is made of. */
  entry: string;
  line: string;
  /** Whether the tool can find out what an interrupted call of it left. */
  canRecover: boolean;
}

interface Line {
  entry: string;
  line: string;
}

interface Written {
  entry: string;
  written: string;
}

const reference = ({ entry }: Line): string => `${DBOS.workflowID}:${entry}`;

/** The audit log appends whatever it gets: a second request is a second line. */
async function writeLine(call: Line): Promise<Written> {
  const answer = await fetch(`${await service('audit-log')}/lines`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Request-Reference': reference(call) },
    body: JSON.stringify({ line: call.line }),
  });
  if (!answer.ok) throw new Error(`the audit log answered ${answer.status}: ${await answer.text()}`);
  return { entry: call.entry, written: call.line };
}

/** Looks the line up, and changes nothing. A log without it does not prove that no request is under way. */
async function findLine(call: Line): Promise<Written> {
  const answer = await fetch(`${await service('audit-log')}/lines?reference=${encodeURIComponent(reference(call))}`);
  if (!answer.ok) throw new Error(`the audit log answered ${answer.status}: ${await answer.text()}`);
  const { lines } = (await answer.json()) as { lines: { text: string }[] };
  const [found] = lines;
  if (found === undefined) throw new Error(`the audit log has no line of ${reference(call)}`);
  return { entry: call.entry, written: found.text };
}

export const run = DBOS.registerWorkflow(
  async ({ entry, line, canRecover }: Input): Promise<Written> => {
    const write = tool<Line>({
      name: 'write_line',
      description: 'Writes a line into the audit log.',
      schema: {
        type: 'object',
        properties: { entry: { type: 'string' }, line: { type: 'string' } },
        required: ['entry', 'line'],
        additionalProperties: false,
      },
      run: writeLine,
      ...(canRecover ? { recover: findLine } : {}),
    });
    return agent<Written>({
      name: 'clerk',
      model: 'fixture',
      systemPrompt: 'Write the line into the audit log and say what was written, as JSON.',
      userMessage: JSON.stringify({ entry, line }),
      recovery: 'restart',
      tools: [write],
      outputSchema: {
        type: 'object',
        properties: { entry: { type: 'string' }, written: { type: 'string' } },
        required: ['entry', 'written'],
      },
    });
  },
  { name: 'journaled-tool' },
);
