import { limits, type HistoryEntry } from '../core/index.ts';

/** History in frames well under the frame's bound. */
export function* historyPages(entries: readonly HistoryEntry[]): Generator<HistoryEntry[]> {
  let page: HistoryEntry[] = [];
  let size = 0;
  for (const entry of entries) {
    const entrySize = Buffer.byteLength(JSON.stringify(entry));
    if (page.length > 0 && size + entrySize > limits.frameBytes / 2) {
      yield page;
      page = [];
      size = 0;
    }
    page.push(entry);
    size += entrySize;
  }
  if (page.length > 0) yield page;
}
