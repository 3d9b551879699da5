import { z } from 'zod';
import { check, labInfo, settings } from './lab-state.ts';
import { permission } from './run.ts';
import { scenario, scenarioResult } from './scenario.ts';

const nothing = z.strictObject({});

/** Calls of the client API on the lab as a whole: permissions, scenarios, settings, and its window. */
export const labCalls = {
  'lab/info': { takes: nothing, gives: labInfo },
  'settings/get': { takes: nothing, gives: settings },
  'settings/set': { takes: settings, gives: settings },
  'permission/list': { takes: nothing, gives: z.array(permission) },
  'permission/set': {
    takes: z.strictObject({
      resource: z
        .string()
        .regex(
          /^((relay|mcp|service):.+|secret:[^/]+\/.+)$/,
          'expected relay:NAME, mcp:NAME, service:NAME or secret:RELAY/NAME',
        ),
      granted: z.boolean(),
      by: z.string().min(1),
    }),
    gives: permission,
  },
  'scenario/list': { takes: nothing, gives: z.array(scenario) },
  /** Resolves when it has been played. One that is queued or at work already is not asked for twice. */
  'scenario/run': { takes: z.strictObject({ name: z.string() }), gives: scenarioResult },
  /** Ends a scenario that is queued or at work; what it has left running is killed. */
  'scenario/cancel': { takes: z.strictObject({ name: z.string() }), gives: z.null() },
  doctor: { takes: nothing, gives: z.array(check) },
  /** Asks for a folder in a dialog of the system; null when it was left. `not-supported` without a window. */
  'host/choose-folder': { takes: z.strictObject({ title: z.string().max(200) }), gives: z.string().nullable() },
  /** Asks where to save a text and does; gives the file's name, null when it was left. `not-supported` without a window. */
  'host/save': {
    takes: z.strictObject({ name: z.string().regex(/^[\w.-]{1,100}$/), text: z.string() }),
    gives: z.string().nullable(),
  },
} satisfies Record<string, { takes: z.ZodType; gives: z.ZodType }>;
