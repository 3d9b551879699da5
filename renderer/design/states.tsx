import type { ReactNode } from 'react';
import type { LabError } from '../../runtime/contract/index.ts';
import { Button } from './button.tsx';

/** What a view says when it has nothing to show, and what to do next. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-2 p-6 text-center text-quiet">
      <p className="font-medium text-ink">{title}</p>
      {children}
    </div>
  );
}

export function Loading({ what }: { readonly what: string }) {
  return (
    <p role="status" className="p-4 text-quiet">
      Reading {what}…
    </p>
  );
}

/** An error as its code, sentence and next step, with its details to copy. */
export function ErrorView({ error, retry }: { readonly error: LabError; readonly retry?: () => void }) {
  const details = JSON.stringify(error.toData(), null, 2);
  return (
    <div role="alert" className="m-3 rounded border border-failed/50 bg-failed/5 p-3">
      <p>
        <code className="mr-2 font-mono text-failed">{error.code}</code>
        {error.message}
      </p>
      {error.next !== '' && <p className="mt-1 text-quiet">{error.next}</p>}
      <p className="mt-2 flex gap-2">
        {retry !== undefined && <Button onClick={retry}>Try again</Button>}
        <Button look="quiet" onClick={() => void navigator.clipboard.writeText(details)}>
          Copy details
        </Button>
      </p>
    </div>
  );
}
