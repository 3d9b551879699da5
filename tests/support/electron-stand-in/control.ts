import { randomUUID } from 'node:crypto';

/**
 * The channel to the test that started this process: Node's own, between parent and child. Words of the test come in
 * as `Ask` and are answered; what happens here goes out as `Happening`. Started by hand there is no channel, and nothing
 * is told.
 */
type Ask = { readonly id: string; readonly ask: string; readonly with: unknown };
export type Happening =
  | { readonly tag: 'answer'; readonly id: string; readonly value: unknown; readonly problem: string | null }
  /** Chromium runs; windows can be seen at this endpoint of its DevTools protocol. */
  | { readonly tag: 'ready'; readonly endpoint: string }
  /** Waits for the ask `answer-dialog` with the same id. */
  | { readonly tag: 'dialog'; readonly id: string; readonly kind: string; readonly options: unknown }
  | { readonly tag: 'told'; readonly what: string; readonly value: unknown };

type Answerer = (given: never) => unknown;

const answerers = new Map<string, Answerer>();
const openDialogs = new Map<string, (answer: unknown) => void>();

export function tell(happening: Happening): void {
  if (process.connected) process.send?.(happening);
}

/** What the test may ask of this process. */
export function answer<Given>(ask: string, answerer: (given: Given) => unknown): void {
  answerers.set(ask, answerer);
}

/** Resolves with what the test answers. Without a test nobody would: then with null, at once. */
export function askTest(kind: string, options: unknown): Promise<unknown> {
  if (!process.connected) return Promise.resolve(null);
  const id = randomUUID();
  return new Promise((resolve) => {
    openDialogs.set(id, resolve);
    tell({ tag: 'dialog', id, kind, options });
  });
}

answer('answer-dialog', ({ id, answer: given }: { id: string; answer: unknown }) => {
  openDialogs.get(id)?.(given);
  openDialogs.delete(id);
});

process.on('message', ({ id, ask, with: given }: Ask) => {
  const answerer = answerers.get(ask);
  Promise.resolve()
    .then(() => {
      if (answerer === undefined) throw new Error(`the stand-in has no answer to ${ask}`);
      return answerer(given as never);
    })
    .then(
      (value) => tell({ tag: 'answer', id, value: value ?? null, problem: null }),
      (error: unknown) => tell({ tag: 'answer', id, value: null, problem: String(error) }),
    );
});
// Without its test nobody would ever end it.
process.on('disconnect', () => process.exit(1));
