import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeIssues, fixtureScript, type FixtureScript } from '../contract/index.ts';
import { describeWireError, LabError, type Json, type JsonObject } from '../core/index.ts';
import type { Provider, ToolCall, Turn } from './agent-call.ts';
import { fillPlaceholders } from './placeholders.ts';

/**
 * The deterministic model: it says what `fixtures/AGENT.json` of the frozen release says. Without that file it answers
 * each message with the JSON text `{"agent":NAME,"message":…}`, the message as a value when it is JSON. A tool that
 * failed ends the agent, because a script cannot react.
 */
export async function openFixture(releaseFolder: string, agent: string): Promise<Provider> {
  const file = `fixtures/${agent}.json`;
  const turns = await readTurns(join(releaseFolder, 'sources', file), file);
  if (turns === null) return { name: 'fixture', nextTurn: (message) => ({ text: echo(agent, message) }) };
  const values = new Map<string, Json>();
  let next = 0;
  return {
    name: 'fixture',
    nextTurn(message, results) {
      for (const called of results) keepResult(agent, called, values);
      values.set('message', parsed(message));
      const turn = turns[next];
      next += 1;
      if (turn === undefined) {
        throw scriptError(`${file} has ${turns.length} turns, and agent ${agent} needs one more`);
      }
      return filled(turn, values, file);
    },
  };
}

function keepResult(
  agent: string,
  { name, result }: Parameters<Provider['nextTurn']>[1][number],
  values: Map<string, Json>,
): void {
  if (!result.ok) {
    throw new LabError(
      'platform-failed',
      `the tool ${name} of agent ${agent} failed: ${describeWireError(result.error)}`,
      '',
      { agent, tool: name, reason: 'tool-error' },
    );
  }
  values.set(name, result.value);
}

function filled(turn: FixtureScript['turns'][number], values: ReadonlyMap<string, Json>, file: string): Turn {
  const fill = (value: Json): Json => fillPlaceholders(value, values, (why) => scriptError(`${file}: ${why}`));
  if ('json' in turn) return { text: JSON.stringify(fill(turn.json)) };
  if ('text' in turn) {
    const text = fill(turn.text);
    return { text: typeof text === 'string' ? text : JSON.stringify(text) };
  }
  return {
    toolCalls: turn.toolCalls.map(({ name, arguments: given }): ToolCall => ({
      name,
      arguments: fill(given) as JsonObject,
    })),
  };
}

async function readTurns(path: string, file: string): Promise<FixtureScript['turns'] | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw scriptError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const script = fixtureScript.safeParse(value);
  if (script.success) return script.data.turns;
  throw scriptError(`${file} cannot be used: ${describeIssues(script.error.issues, value).join('; ')}`);
}

function echo(agent: string, message: string): string {
  return JSON.stringify({ agent, message: parsed(message) });
}

function parsed(message: string): Json {
  try {
    return JSON.parse(message) as Json;
  } catch {
    return message;
  }
}

function scriptError(message: string): LabError {
  return new LabError('platform-failed', message, 'Correct the script of the fixture agent.', { reason: 'fixture' });
}
