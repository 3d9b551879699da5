import { createReadStream } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { formatCrashPoint, parseCrashPoint } from '../../runtime/crash/index.ts';
import { LabError, limits, parseOperationId, type Json, type OperationId } from '../../runtime/core/index.ts';

/** A repeatable `--crash`: checked where it was written, passed on as text. */
export function crashPoints(text: string, before: readonly string[]): string[] {
  return [...before, formatCrashPoint(parseCrashPoint(text))];
}

/** A count or a number of milliseconds. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('expected a whole number');
  return Number(text);
}

export function operation(text: string): OperationId {
  const id = parseOperationId(text);
  if (id === null) throw new InvalidArgumentError('expected an operation id such as 3 or 3.0');
  return id;
}

/** JSON text from `TEXT`, `@FILE` or `-` (stdin). Reads no more than a run may take. */
export async function jsonText(given: string): Promise<string> {
  if (given === '-') return readBounded(process.stdin, 'stdin');
  if (!given.startsWith('@')) return given;
  const path = given.slice(1);
  try {
    return await readBounded(createReadStream(path), path);
  } catch (error) {
    if (error instanceof LabError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new LabError('invalid-input', `the file ${path} cannot be read: ${why}`, 'Check the path after the @.');
  }
}

async function readBounded(stream: AsyncIterable<Buffer | string>, name: string): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream) {
    const chunk = Buffer.from(part);
    bytes += chunk.length;
    if (bytes > limits.inputBytes) {
      throw new LabError('too-large', `${name} holds over ${limits.inputBytes} bytes; a run takes no more`);
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
}

export function parseJson(text: string, what: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LabError('invalid-input', `${what} is not JSON: ${why}`, 'A text needs its quotes, as in \'"text"\'.');
  }
}
