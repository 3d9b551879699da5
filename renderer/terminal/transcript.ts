import { describeEnd } from '../../runtime/contract/index.ts';
import { clockTime } from '../design/words.ts';
import type { AttemptHistory } from '../history/run-history.ts';
import { openStreamText, type StreamText } from './stream-text.ts';

type Stream = 'stdout' | 'stderr';
type Sizes = Readonly<Record<Stream, number>>;
type AttemptFacts = Pick<AttemptHistory, 'number' | 'process' | 'spawnedAt' | 'claimedAt' | 'endedAt' | 'cause'>;

/**
 * What the terminal is to show of a run: the output of its attempts one after the other, between a line that says which
 * process begins and one that says what ended it. Each call gives the text that is due now.
 */
export interface Transcript {
  /** The attempts as they are known by now. */
  know(attempts: readonly AttemptFacts[]): string;
  /** How much an attempt that has ended wrote: when that is here, its end is. */
  endsAt(attempt: number, sizes: Sizes): string;
  take(attempt: number, stream: Stream, bytes: Uint8Array): string;
}

interface Writing {
  readonly number: number;
  readonly texts: Readonly<Record<Stream, StreamText>>;
  readonly received: Record<Stream, number>;
}

const rule = '──';
const looks = { begin: '1;34', done: '32', killed: '1;31' } as const;

export function openTranscript(): Transcript {
  const facts = new Map<number, AttemptFacts>();
  const sizes = new Map<number, Sizes>();
  /** The attempt whose output is being written, and whether its first line stands. */
  let writing = begin(1);
  let isHeaded = false;
  let isAtLineStart = true;

  function put(text: string): string {
    if (text !== '') isAtLineStart = text.endsWith('\n');
    return text;
  }
  function ruled(words: string, look: string): string {
    const lead = isAtLineStart ? '' : '\r\n';
    isAtLineStart = true;
    return `${lead}\x1b[0m\x1b[${look}m${rule} ${words} ${rule}\x1b[0m\r\n`;
  }
  function head(): string {
    isHeaded = true;
    const known = facts.get(writing.number);
    const at = known?.spawnedAt ?? known?.claimedAt;
    const pid = known?.process == null ? '' : ` · pid ${known.process.pid}`;
    return ruled(`attempt ${writing.number}${pid}${at === undefined ? '' : ` · ${clockTime(at)}`}`, looks.begin);
  }
  /** Ends the attempt that is being written and goes on to the next. */
  function end(): string {
    const { number, texts } = writing;
    const rest = put(texts.stdout.end()) + put(texts.stderr.end());
    const known = facts.get(number);
    const cause = known?.cause == null ? 'its end is not known yet' : describeEnd(known.cause);
    const at = known?.endedAt == null ? '' : ` · ${clockTime(known.endedAt)}`;
    const look = known?.cause?.kind === 'finished' ? looks.done : looks.killed;
    writing = begin(number + 1);
    isHeaded = false;
    return rest + ruled(`attempt ${number} ended: ${cause}${at}`, look);
  }
  function settle(): string {
    let text = '';
    for (;;) {
      const { number, received } = writing;
      const known = facts.get(number);
      if (known === undefined) return text;
      if (!isHeaded && (known.spawnedAt !== null || known.endedAt !== null)) text += head();
      const whole = sizes.get(number);
      if (known.endedAt === null || whole === undefined) return text;
      if (received.stdout < whole.stdout || received.stderr < whole.stderr) return text;
      text += end();
    }
  }
  return {
    know(attempts) {
      for (const one of attempts) facts.set(one.number, one);
      return settle();
    },
    endsAt(attempt, whole) {
      sizes.set(attempt, whole);
      return settle();
    },
    take(attempt, stream, bytes) {
      // Belongs above a line that stands already: cannot be, the host gives attempts in order.
      if (attempt < writing.number) return '';
      let text = '';
      while (writing.number < attempt) text += (isHeaded ? '' : head()) + end();
      if (!isHeaded) text += head();
      writing.received[stream] += bytes.length;
      const own = put(writing.texts[stream].take(bytes));
      // Told apart by colour; what the program colours itself keeps its own.
      text += stream === 'stderr' && own !== '' ? `\x1b[33m${own}\x1b[39m` : own;
      return text + settle();
    },
  };
}

function begin(number: number): Writing {
  return {
    number,
    texts: { stdout: openStreamText(), stderr: openStreamText() },
    received: { stdout: 0, stderr: 0 },
  };
}
