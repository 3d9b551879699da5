import { z } from 'zod';

/** A text as it stands, or the vault's secret of that name, asked for each time that the server is started or reached. */
const value = z.union([z.string(), z.strictObject({ secret: z.string().min(1) })], {
  error: 'expected a text, or {"secret": "NAME"}',
});
export type McpValue = z.infer<typeof value>;

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable');
const header = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'expected the name of an HTTP header');

const anyServer = {
  /** The tools that may be called; without it all that the server offers. */
  tools: z.array(z.string().min(1)).min(1, 'expected at least one tool').optional(),
  /** How long the server may take to answer, in milliseconds; the lab's own limit when not given. */
  timeoutMs: z.int().min(100).max(600_000).optional(),
};

/** An MCP server as relay.json describes it: a program that speaks over stdio, or an address of streamable HTTP. */
export const mcpServer = z.union([
  z.strictObject({
    /** A program, or `lab:NAME` for one of the lab's own servers. */
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    /** Added to the few variables that every server gets. */
    env: z.record(variable, value).default({}),
    ...anyServer,
  }),
  z.strictObject({
    url: z.url({ protocol: /^https?$/ }),
    headers: z.record(header, value).default({}),
    ...anyServer,
  }),
]);
export type McpServer = z.infer<typeof mcpServer>;

/** Where a server's description asks for secrets: the key that asks, in dots, and the secret's name. */
export function secretsOfServer(server: McpServer): { readonly place: string; readonly secret: string }[] {
  const [key, values] = 'url' in server ? (['headers', server.headers] as const) : (['env', server.env] as const);
  return Object.entries(values).flatMap(([name, one]) =>
    typeof one === 'string' ? [] : [{ place: `${key}.${name}`, secret: one.secret }],
  );
}
