import { z } from 'zod';
import { jsonObject } from './json-schema.ts';
import { mcpServer, secretsOfServer } from './mcp-server.ts';
import { secretName } from './vault-calls.ts';

const name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i, 'expected 1 to 64 letters, digits, ".", "_" or "-", led by a letter or digit');

/** A path inside the relay's folder: relative, no `..`, no backslash. */
const innerPath = z
  .string()
  .min(1)
  .refine((path) => !/^([/\\]|[a-z]:)/i.test(path) && !path.includes('\\') && !path.split('/').includes('..'), {
    error: 'expected a relative path inside the relay folder',
  });

const relayManifest = z.strictObject({
  kind: z.literal('relay'),
  relay_runtime: z.enum(['node', 'python']),
  relay_durability: z.enum(['dbos', 'none']),
  name,
  entry: innerPath,
  description: z.string().max(2000).default(''),
  /** JSON Schema that an input must meet before a run starts. */
  input_schema: z.union([jsonObject, z.boolean()]).default(true),
  variables: z.record(z.string().min(1), z.string()).default({}),
  secrets: z.array(secretName).default([]),
  services: z.array(name).default([]),
  mcp: z.record(name, mcpServer).default({}),
  skills: z.array(innerPath).default([]),
});

/** `relay.json` (DESIGN.md section 7). Unknown keys are refused by name. */
export const manifest = relayManifest.superRefine(({ mcp, secrets }, context) => {
  // What a relay may be given stands in one list, which a person permits.
  for (const [server, described] of Object.entries(mcp)) {
    for (const { place, secret } of secretsOfServer(described)) {
      if (secrets.includes(secret)) continue;
      const path = ['mcp', server, ...place.split('.'), 'secret'];
      context.addIssue({ code: 'custom', path, message: `expected a name that "secrets" lists` });
    }
  }
});
export type Manifest = z.infer<typeof manifest>;
