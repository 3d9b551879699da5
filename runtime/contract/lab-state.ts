import { z } from 'zod';
import { runStates } from '../core/index.ts';

/** What a host is, for as long as it lives. */
export const labInfo = z.strictObject({
  /** `desktop` has a menu and dialogs, `page` serves the loopback page, `command` is a command at work. */
  host: z.enum(['desktop', 'page', 'command']),
  version: z.string(),
  pid: z.int(),
  startedAt: z.number(),
  dataFolder: z.string(),
  /** The data folder is removed when the host ends. */
  ephemeral: z.boolean(),
  engine: z.string(),
  sqlite: z.string(),
  journalMode: z.string(),
  synchronous: z.string(),
  node: z.string(),
  platform: z.string(),
  /** Who is logged in: the name that stands under decisions. */
  person: z.string(),
});
export type LabInfo = z.infer<typeof labInfo>;

const serviceState = z.strictObject({
  name: z.string(),
  kind: z.enum(['http', 'mcp']),
  /** What it is honest about: whether it answers a repeated key again. */
  description: z.string(),
  /** Null while it does not run: services start when they are first asked for, MCP servers for each call. */
  pid: z.int().nullable(),
  baseUrl: z.string().nullable(),
  requests: z.int(),
  effects: z.int(),
});
export type ServiceState = z.infer<typeof serviceState>;

export const labStatus = z.strictObject({
  at: z.number(),
  /** How many runs are in each state. */
  runs: z.record(z.enum(runStates), z.int()),
  operationsPerSecond: z.number(),
  ledgerBytes: z.int(),
  lastEvent: z.strictObject({ run: z.string(), sequence: z.int(), type: z.string(), at: z.number() }).nullable(),
  services: z.array(serviceState),
});
export type LabStatus = z.infer<typeof labStatus>;

/** What a person set for this data folder. */
export const settings = z.strictObject({
  /** Recovery policy of new runs, unless another is chosen. */
  recovery: z.enum(['off', 'immediate']),
});
export type Settings = z.infer<typeof settings>;

/** `ok` is null for what is not there and need not be, and yet is worth knowing. */
export const check = z.strictObject({ name: z.string(), ok: z.boolean().nullable(), detail: z.string() });
export type DoctorCheck = z.infer<typeof check>;
