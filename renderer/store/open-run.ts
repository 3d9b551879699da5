import { useEffect } from 'react';
import { create } from 'zustand';
import {
  asLabError,
  type CallName,
  type Gives,
  type LabError,
  type LabEvent,
  type Operation,
  type Takes,
} from '../../runtime/contract/index.ts';
import { foldEvents } from '../history/fold-events.ts';
import { copiedHistory, emptyHistory, type RunHistory } from '../history/run-history.ts';
import { lab } from '../lab/lab.ts';
import { takeRuns, useLab } from './lab-store.ts';

interface OpenRun {
  readonly run: string | null;
  readonly history: RunHistory;
  /** Whether everything that the ledger held when it was opened is here. */
  readonly isComplete: boolean;
  readonly error: LabError | null;
}

/** The run in view: its history, driven by its events alone. */
export const useOpenRun = create<OpenRun>()(() => ({
  run: null,
  history: emptyHistory(''),
  isComplete: false,
  error: null,
}));

const operationPage = 1000;

/** Least time between two pictures of a run that goes on, in milliseconds: what a screen of 25 pictures a second shows. */
const restMs = 40;

/** Follows a run from its first event on, and gives the way to stop. What comes meanwhile is shown at once. */
function openRun(run: string): () => void {
  useOpenRun.setState({ run, history: emptyHistory(run), isComplete: false, error: null });
  const waiting: LabEvent[] = [];
  let timer = 0;
  let shownAt = -restMs;
  let target = Infinity;
  let isOpen = true;
  let stop = (): void => undefined;

  function show(): void {
    timer = 0;
    shownAt = performance.now();
    try {
      const history = foldEvents(useOpenRun.getState().history, waiting.splice(0));
      useOpenRun.setState({ history, isComplete: history.lastSequence >= target });
    } catch (thrown) {
      fail(asLabError(thrown));
    }
  }
  function fail(error: LabError): void {
    if (isOpen) useOpenRun.setState({ error });
  }
  function follow(): void {
    stop = lab.follow(
      'run/events',
      { run, after: 0 },
      (events) => {
        waiting.push(...events);
        timer ||= window.setTimeout(show, Math.max(0, shownAt + restMs - performance.now()));
      },
      fail,
    );
  }
  async function begin(): Promise<void> {
    const { run: row } = await askConnected('run/show', { run });
    takeRuns([row]);
    target = row.lastSequence;
    // No event tells of the operations that a fork was given.
    const copied = row.forkedFrom === null ? [] : await readCopied(run);
    if (!isOpen) return;
    useOpenRun.setState({ history: copiedHistory(run, copied) });
    follow();
  }

  begin().catch((thrown: unknown) => fail(asLabError(thrown)));
  return () => {
    isOpen = false;
    stop();
    clearTimeout(timer);
  };
}

async function readCopied(run: string): Promise<Operation[]> {
  const found: Operation[] = [];
  for (;;) {
    const after = found.at(-1)?.id ?? null;
    const page = await askConnected('run/operations', { run, after, limit: operationPage });
    // What was copied belongs to no attempt; it stands before everything else.
    found.push(...page.filter(({ attempt }) => attempt === 0));
    if (page.length < operationPage || page.at(-1)?.attempt !== 0) return found;
  }
}

/** Asks the host once it is there, and again when the connection was lost meanwhile. */
async function askConnected<N extends CallName>(name: N, input: Takes<N>): Promise<Gives<N>> {
  for (;;) {
    await connected();
    try {
      return await lab.call(name, input);
    } catch (thrown) {
      if (asLabError(thrown).code !== 'process-gone') throw thrown;
    }
  }
}

function connected(): Promise<void> {
  return new Promise((resolve) => {
    const isOpen = (): boolean => useLab.getState().connection.state === 'open';
    if (isOpen()) return resolve();
    const stop = useLab.subscribe(() => {
      if (!isOpen()) return;
      stop();
      resolve();
    });
  });
}

/** Keeps the run open for as long as the component that asks stands. */
export function useOpenedRun(run: string): void {
  useEffect(() => openRun(run), [run]);
}
