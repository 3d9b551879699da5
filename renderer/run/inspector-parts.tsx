import type { ReactNode } from 'react';

/** A titled part of the inspector. */
export function Part({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-t border-line px-3 py-2 first:border-t-0">
      <div className="mb-1 flex min-h-6 items-center justify-between gap-2">
        <h3 className="text-[12px] font-semibold text-quiet">{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** Names and values below each other. */
export function Facts({ rows }: { readonly rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-quiet">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
