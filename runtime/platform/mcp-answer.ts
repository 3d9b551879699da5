import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { LabError, type Json, type JsonObject, type KnownSecret } from '../core/index.ts';
import { toolFailure } from './mcp-failure.ts';
import type { McpTool } from './mcp-inventory.ts';

/** What a server answers to a call of a tool. */
export interface CallAnswer {
  readonly content: readonly JsonObject[];
  readonly structuredContent?: JsonObject;
  readonly isError?: boolean;
}

/** Whose answer it is. */
interface Asked {
  readonly server: string;
  readonly tool: McpTool;
  readonly secrets: readonly KnownSecret[];
}

/**
 * The answer's value: its structured content; without that the text of a sole text part; else the list of parts, with
 * images and resources as the protocol has them. Throws `platform-failed` for an answer that is marked as an error
 * (`reason: "tool-error"`), and for structured content that does not meet the tool's own schema (`nonsense`).
 */
export function readAnswer({ server, tool, secrets }: Asked, answer: CallAnswer): Json {
  const { content, structuredContent, isError } = answer;
  const value = structuredContent ?? soleText(content) ?? content;
  if (isError === true) {
    throw toolFailure({ server, tool: tool.name, secrets }, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const problem = schemaProblem(tool, structuredContent);
  if (problem === null) return value;
  throw new LabError(
    'platform-failed',
    `the MCP server ${server} answered the tool ${tool.name} with ${problem}`,
    'The server breaks its own description of the tool: take another version of it.',
    { server, tool: tool.name, reason: 'nonsense' },
  );
}

function schemaProblem({ outputSchema }: McpTool, structured: JsonObject | undefined): string | null {
  if (outputSchema === null) return null;
  if (structured === undefined) return 'no structured content, though it has an outputSchema';
  try {
    const checked = new AjvJsonSchemaValidator().getValidator(outputSchema)(structured);
    return checked.valid ? null : `structured content that does not meet its outputSchema: ${checked.errorMessage}`;
  } catch (error) {
    return `structured content that cannot be checked: its outputSchema is of no use (${String(error)})`;
  }
}

function soleText(content: readonly JsonObject[]): string | null {
  const [only] = content;
  return content.length === 1 && typeof only?.['text'] === 'string' ? only['text'] : null;
}
