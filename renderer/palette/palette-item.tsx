import type { ReactNode } from 'react';
import { Command } from 'cmdk';
import { openDialog } from '../store/view-store.ts';

interface ItemProps {
  /** Unique, and what is searched. */
  readonly value: string;
  readonly keywords?: string[];
  readonly note?: string;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

/** A line of the palette: choosing it closes the palette first, so that it may open another dialog. */
export function Item({ value, keywords, note = '', onChoose, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      {...(keywords === undefined ? {} : { keywords })}
      onSelect={() => {
        openDialog(null);
        onChoose();
      }}
      className="flex h-8 cursor-default items-center gap-2 rounded px-2.5 data-[selected=true]:bg-accent/14"
    >
      <span className="flex min-w-0 flex-1 items-center gap-2 truncate">{children}</span>
      {note !== '' && <span className="shrink-0 text-[12px] text-quiet">{note}</span>}
    </Command.Item>
  );
}
