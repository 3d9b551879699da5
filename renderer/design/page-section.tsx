import type { ReactNode } from 'react';

/** A titled part of a view in the middle. */
export function PageSection({
  title,
  tools,
  children,
}: {
  readonly title: string;
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section aria-label={title} className="mt-5">
      <div className="flex items-baseline gap-3 border-b border-line pb-1">
        <h2 className="flex-1 text-[13px] font-semibold">{title}</h2>
        {tools}
      </div>
      <div className="pt-2">{children}</div>
    </section>
  );
}

/** Name and value, one under the other. */
export function Facts({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-4 gap-y-1">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-quiet">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
