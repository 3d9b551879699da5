import { findSourceMap } from 'node:module';

const known = new Map<string, string>();
let bundleUrl = '';

/** Names the relay's compiled entry, whose lines `callSite` looks for. Its source map is read when first needed. */
export function watchCallsFrom(url: string): void {
  bundleUrl = url;
  known.clear();
}

/** Where the relay's own source made the call that is running, as `relay.ts:12`; null when it did not. */
export function callSite(): string | null {
  const { stackTraceLimit } = Error;
  const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const holder: { stack?: unknown } = {};
  try {
    Error.stackTraceLimit = 16;
    Error.prepareStackTrace = (_error, frames) => firstPosition(frames);
    Error.captureStackTrace(holder, callSite);
    return (holder.stack as string | null | undefined) ?? null;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    if (before === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace');
    else Object.defineProperty(Error, 'prepareStackTrace', before);
  }
}

function firstPosition(frames: readonly NodeJS.CallSite[]): string | null {
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
