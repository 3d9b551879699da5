import type { FromChild } from '../contract/index.ts';
import type { Json, JsonObject } from '../core/index.ts';
import { currentScope } from './scope.ts';
import { theSession } from './session.ts';
import { toJson } from './values.ts';

type Level = Extract<FromChild, { tag: 'log' }>['level'];

const longestMessage = 32 * 1024;
const largestFields = 64 * 1024;

/** `DBOS.logger`: each entry goes to the run's log with the operation that it was written in. */
export const logger = {
  debug: (entry: unknown, metadata?: unknown): void => log('debug', entry, metadata),
  info: (entry: unknown, metadata?: unknown): void => log('info', entry, metadata),
  warn: (entry: unknown, metadata?: unknown): void => log('warn', entry, metadata),
  error: (entry: unknown, metadata?: unknown): void => log('error', entry, metadata),
};

// Loaded at the first use: it would take a good part of the time that a process needs to start.
function inspect(value: unknown, depth = 2): string {
  return process.getBuiltinModule('node:util').inspect(value, { depth });
}

function log(level: Level, entry: unknown, metadata: unknown): void {
  const text =
    entry instanceof Error ? (entry.stack ?? entry.message) : typeof entry === 'string' ? entry : inspect(entry);
  const cut = text.length - longestMessage;
  const message = cut > 0 ? `${text.slice(0, longestMessage)}… (${cut} characters cut)` : text;
  theSession().send({
    tag: 'log',
    level,
    message,
    operation: currentScope()?.operation ?? null,
    fields: fieldsOf(metadata),
  });
}

/** Metadata as far as it is JSON of a sensible size: a log entry must not fail over it. */
function fieldsOf(metadata: unknown): JsonObject {
  if (typeof metadata !== 'object' || metadata === null) return {};
  const fields: Record<string, Json> = {};
  let size = 0;
  for (const [key, value] of Object.entries(metadata)) {
    try {
      const json = toJson(value, key);
      size += JSON.stringify(json).length;
      if (size <= largestFields) fields[key] = json;
    } catch {
      fields[key] = inspect(value, 1).slice(0, 1000);
    }
  }
  return fields;
}
