import { byteSize, clockTime, shortId } from '../design/words.ts';
import { useLab } from '../store/lab-store.ts';
import { go } from '../store/view-store.ts';

/** The lab at a glance, pushed by the host a few times a second at most. */
export function StatusBar() {
  return (
    <footer
      aria-label="status of the lab"
      className="flex h-6 shrink-0 items-center gap-4 overflow-hidden border-t border-line bg-panel px-3 text-[12px] whitespace-nowrap text-quiet tabular-nums"
    >
      <Counts />
      <ConnectionWord />
    </footer>
  );
}

function Counts() {
  const status = useLab(({ status }) => status);
  if (status === null) return null;
  const { runs, operationsPerSecond, ledgerBytes, lastEvent } = status;
  const running = runs.running + runs.cancel_requested;
  const stopped = runs.interrupted + runs.needs_reconciliation;
  return (
    <>
      <span>
        <b className="font-semibold text-ink">{running}</b> running
      </span>
      {stopped > 0 && (
        <span>
          <b className="font-semibold text-ink">{stopped}</b> to recover or decide
        </span>
      )}
      <span>{rate(operationsPerSecond)} operations/s</span>
      <span>ledger {byteSize(ledgerBytes)}</span>
      {lastEvent !== null && (
        <span className="min-w-0 truncate max-md:hidden">
          last event{' '}
          <button
            type="button"
            className="rounded underline decoration-dotted underline-offset-2 hover:text-ink"
            onClick={() => go({ kind: 'run', run: lastEvent.run })}
          >
            {lastEvent.type} #{lastEvent.sequence} of {shortId(lastEvent.run)}
          </button>{' '}
          {clockTime(lastEvent.at)}
        </span>
      )}
    </>
  );
}

function rate(perSecond: number): string {
  return perSecond > 0 && perSecond < 10 ? perSecond.toFixed(1) : String(Math.round(perSecond));
}

const words = {
  open: { text: 'connected', colour: 'text-done', sign: '●' },
  connecting: { text: 'connecting', colour: 'text-waiting', sign: '◌' },
  lost: { text: 'connection lost', colour: 'text-kill', sign: '○' },
} as const;

function ConnectionWord() {
  const state = useLab(({ connection }) => connection.state);
  const { text, colour, sign } = words[state];
  return (
    <span role="status" className={`ml-auto shrink-0 ${colour}`}>
      <span aria-hidden="true">{sign}</span> {text}
    </span>
  );
}
