import { counted } from './counted.ts';
import type { JoinedOperation, KeyUse } from './join-ledgers.ts';

/** One request as a service wrote it down. */
export interface RequestLine {
  readonly sign: string;
  readonly look: 'done' | 'reused' | 'open' | 'failed' | 'uncertain' | 'quiet';
  readonly words: string;
  /** Milliseconds since 1970; null for the line that stands for those left out. */
  readonly at: number | null;
}

const mostLines = 30;

/** What a service saw under one key, in its order; of very many requests the first, and how many more. */
export function requestLines({ requests }: KeyUse, owner: JoinedOperation | null): RequestLine[] {
  const kind = owner?.verdict.kind;
  const firstEffect = requests.findIndex(({ effect }) => effect);
  const lines = requests.slice(0, mostLines).map(({ at, path, outcome, effect }, place): RequestLine => {
    const request = `request ${place + 1} · ${path} · ${outcome}`;
    if (!effect) {
      return outcome === 'repeated'
        ? { sign: '↺', look: 'reused', words: `${request}: first answer again, no new effect`, at }
        : { sign: '✕', look: 'failed', words: `${request}: no effect`, at };
    }
    if (kind === 'doubled' && place > firstEffect) {
      return { sign: '●', look: 'failed', words: `${request}: the effect again`, at };
    }
    const look = kind === 'unknown' ? 'uncertain' : kind === 'ahead' ? 'open' : 'done';
    return { sign: '●', look, words: `${request}: effect`, at };
  });
  if (requests.length <= mostLines) return lines;
  return [
    ...lines,
    { sign: '⋮', look: 'quiet', words: counted(requests.length - mostLines, 'more request'), at: null },
  ];
}
