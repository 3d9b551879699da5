import type { ComponentProps } from 'react';

const looks = {
  plain: 'border-line bg-panel text-ink enabled:hover:bg-raised',
  primary: 'border-transparent bg-accent text-on-accent enabled:hover:opacity-90',
  danger: 'border-kill/50 bg-panel text-kill enabled:hover:bg-kill/10',
  quiet: 'border-transparent bg-transparent text-ink enabled:hover:bg-raised',
} as const;

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: keyof typeof looks;
}

/** A button of the one size that the page has. */
export function Button({ look = 'plain', className = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={`inline-flex h-7 items-center gap-1.5 rounded border px-2.5 text-[13px] font-medium whitespace-nowrap disabled:cursor-not-allowed disabled:opacity-45 ${looks[look]} ${className}`}
      {...rest}
    />
  );
}
