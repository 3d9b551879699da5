import { findSourceMap } from 'node:module';

const known = new Map<string, string>();
let bundleUrl = '';

/** Names the relay's compiled entry, whose lines `callSite` looks for. Its source map is read when first needed. */
export function watchCallsFrom(url: string): void {
  bundleUrl = url;
  known.clear();
}

/** Frames looked at: from the sdk's function on when that is known, else through the sdk's own. */
const depth = { known: 4, unknown: 16 };

/**
 * Where the relay's own source made the call that is running, as `relay.ts:12`; null when it did not. `called` is the
 * function that the relay called: knowing it makes this several times cheaper, which counts in each step.
 */
export function callSite(called?: (...args: never[]) => unknown): string | null {
  const holder: { stack?: unknown } = {};
  const limit = Error.stackTraceLimit;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- a hook of V8, put back as it was
  const prepare = Error.prepareStackTrace;
  try {
    Error.stackTraceLimit = called === undefined ? depth.unknown : depth.known;
    Error.prepareStackTrace = firstPosition;
    Error.captureStackTrace(holder, called ?? callSite);
    return (holder.stack as string | null | undefined) ?? null;
  } finally {
    Error.stackTraceLimit = limit;
    Error.prepareStackTrace = prepare;
  }
}

function firstPosition(_error: Error, frames: readonly NodeJS.CallSite[]): string | null {
  for (const frame of frames) {
    if (frame.getFileName() !== bundleUrl) continue;
    const line = frame.getLineNumber() ?? 1;
    const column = frame.getColumnNumber() ?? 1;
    const key = `${line}:${column}`;
    let position = known.get(key);
    if (position === undefined) known.set(key, (position = sourcePosition(line, column)));
    return position;
  }
  return null;
}

function sourcePosition(line: number, column: number): string {
  const map = findSourceMap(bundleUrl);
  const origin = map?.findEntry(line - 1, column - 1);
  if (map === undefined || origin === undefined || !('originalSource' in origin)) return `${bundleUrl}:${line}`;
  const root = new URL(map.payload.sourceRoot || '.', bundleUrl).href;
  const { originalSource, originalLine } = origin;
  const path = originalSource.startsWith(root)
    ? originalSource.slice(root.length)
    : originalSource.replace(/^.*\//, '');
  return `${decodeURIComponent(path)}:${originalLine + 1}`.slice(-1000);
}
