import type { ReactNode } from 'react';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useView } from '../store/view-store.ts';

interface SectionProps {
  readonly title: string;
  readonly count: number;
  /** What stands at the right of the title. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

/** A foldable part of the side; what is folded is kept. */
export function Section({ title, count, tools, children }: SectionProps) {
  const isFolded = useView(({ folded }) => folded.includes(title));
  const fold = (): void =>
    void useView.setState(({ folded }) => ({
      folded: isFolded ? folded.filter((one) => one !== title) : [...folded, title],
    }));
  const Chevron = isFolded ? ChevronRight : ChevronDown;
  return (
    <section aria-label={title} className="pb-1.5">
      <div className="flex h-7 items-center gap-1 pr-1 pl-1.5">
        <h2 className="min-w-0 flex-1">
          <button
            type="button"
            aria-expanded={!isFolded}
            onClick={fold}
            className="flex w-full items-center gap-1 rounded text-[11px] font-semibold tracking-wider text-quiet uppercase hover:text-ink"
          >
            <Chevron size={13} aria-hidden="true" />
            {title}
            <span className="font-normal tabular-nums">{count}</span>
          </button>
        </h2>
        {tools}
      </div>
      {!isFolded && children}
    </section>
  );
}

interface RowProps {
  readonly isCurrent: boolean;
  readonly onOpen: () => void;
  readonly title?: string;
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

/** One line of the side: it opens something, and may have buttons of its own at its right. */
export function Row({ isCurrent, onOpen, title, tools, children }: RowProps) {
  return (
    <div
      className={`group flex h-6.5 items-center rounded pr-1 ${isCurrent ? 'bg-accent/12 text-ink' : 'hover:bg-raised'}`}
    >
      <button
        type="button"
        title={title}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={onOpen}
        className="flex h-full min-w-0 flex-1 items-center gap-1.5 rounded pl-2 text-left"
      >
        {children}
      </button>
      {tools}
    </div>
  );
}

/** A small button of a row, for a sign alone. */
export function RowButton(props: {
  readonly label: string;
  readonly onPress: () => void;
  readonly isDisabled?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={props.label}
      title={props.label}
      disabled={props.isDisabled}
      onClick={props.onPress}
      className="flex size-5.5 shrink-0 items-center justify-center rounded text-quiet enabled:hover:bg-line/60 enabled:hover:text-ink disabled:opacity-40"
    >
      {props.children}
    </button>
  );
}
