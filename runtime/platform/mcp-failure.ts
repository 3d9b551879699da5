import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { LabError, type JsonObject, type KnownSecret } from '../core/index.ts';
import { withoutSecrets } from './mcp-secrets.ts';

/** What is known when a request to a server has failed. */
export interface FailedRequest {
  readonly server: string;
  /** What was asked for: `its start`, `the tool NAME`. */
  readonly doing: string;
  readonly error: unknown;
  /** How the server, or the connection to it, ended; null while it lives. */
  readonly end: string | null;
  readonly timeoutMs: number;
  /** Must not stand in the error's text. */
  readonly secrets: readonly KnownSecret[];
}

const shownCharacters = 500;

/** Whether the request failed because no answer came in time. */
function isTimeout(error: unknown): boolean {
  return error instanceof McpError && error.code === (ErrorCode.RequestTimeout as number);
}

/**
 * A failed request as `platform-failed`, for people and for the relay's code. Its fact `reason` is one of `gone` (the
 * server ended), `timeout`, `refused` (it answered with an error of the protocol), `nonsense` (what came is no MCP),
 * `http` (with the fact `status`) and `unreachable`.
 */
export function requestFailure(failed: FailedRequest): LabError {
  const { server, doing, error, end, timeoutMs } = failed;
  const give = (reason: string, what: string, next: string, facts: JsonObject = {}): LabError => {
    const text = withoutSecrets(`the MCP server ${server} ${what}`, failed.secrets);
    return new LabError('platform-failed', text, next, { server, reason, ...facts });
  };
  if (isTimeout(error)) {
    const next = 'Raise "timeoutMs" of the server in relay.json, or look at what it said in the run\'s folder mcp/.';
    return give('timeout', `did not answer ${doing} within ${waitedMs(error) ?? timeoutMs} ms and was let go`, next);
  }
  if (end !== null) {
    const next = 'Look at what it said in the run\'s folder mcp/, and at "command" and "args" in relay.json.';
    return give('gone', `${end}; it was asked for ${doing}`, next);
  }
  if (error instanceof StreamableHTTPError) return httpFailure(error, doing, give);
  if (error instanceof McpError) {
    return give('refused', `failed at ${doing}: ${error.message}`, 'Check the arguments against its schema.');
  }
  if (error instanceof SyntaxError) {
    return give('nonsense', `answered ${doing} with what is no JSON: ${error.message}`, 'Check "url" of the server.');
  }
  if (isZodError(error)) {
    const issues = error.issues.slice(0, 3).map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
    const what = `answered ${doing} with what is no MCP result: ${issues.join('; ')}`;
    return give('nonsense', what, 'The server breaks the protocol: take another version of it.');
  }
  const text = error instanceof Error ? causeText(error) : String(error);
  const what = `failed at ${doing}: ${text}`;
  if (text.includes('protocol version')) return give('nonsense', what, 'Take a newer version of the server.');
  return give('unreachable', what, 'Check that it runs, and its "url" in relay.json.');
}

/** An answer that the tool itself marked as an error. */
export function toolFailure(
  {
    server,
    tool,
    secrets,
  }: { readonly server: string; readonly tool: string; readonly secrets: readonly KnownSecret[] },
  text: string,
): LabError {
  const message = withoutSecrets(`the MCP server ${server} answered the tool ${tool} with an error: ${text}`, secrets);
  return new LabError('platform-failed', message, '', { server, tool, reason: 'tool-error' });
}

function httpFailure(
  { code, message }: StreamableHTTPError,
  doing: string,
  give: (reason: string, what: string, next: string, facts?: JsonObject) => LabError,
): LabError {
  const said = message.replace(/^Streamable HTTP error: (Error POSTing to endpoint: )?/, '').slice(0, shownCharacters);
  if (code === undefined || code < 100) {
    return give(
      'nonsense',
      `answered ${doing} with what is no MCP: ${said}`,
      'Check "url" of the server in relay.json.',
    );
  }
  const what = `answered ${doing} with HTTP ${code}${said === '' ? '' : `: ${said}`}`;
  return give('http', what, nextAfter(code), { status: code });
}

/** The limit of the whole call, when it was that one that was met. */
function waitedMs(error: unknown): number | null {
  const { data } = error as { data?: { maxTotalTimeout?: number } };
  return data?.maxTotalTimeout ?? null;
}

function nextAfter(status: number): string {
  if (status === 401 || status === 403) {
    return 'Give it its key: "headers": {"Authorization": {"secret": "NAME"}} in relay.json, with the whole header as the secret.';
  }
  if (status >= 500) return 'The server failed by itself: look at its own log, or try later.';
  return 'Check "url" of the server in relay.json.';
}

function isZodError(error: unknown): error is Error & { issues: { path: PropertyKey[]; message: string }[] } {
  return error instanceof Error && 'issues' in error && Array.isArray(error.issues);
}

/** `fetch failed` says nothing; its cause does. */
function causeText(error: Error): string {
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
