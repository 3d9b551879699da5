import { useEffect } from 'react';
import { X } from 'lucide-react';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../design/button.tsx';
import { dismiss, useView, type Notice } from '../store/view-store.ts';

const shownMs = 5000;

/** Words to the person: what was done goes away by itself, what went wrong stays until it is closed. */
export function Notices() {
  const notices = useView(({ notices }) => notices);
  return (
    <div
      role="region"
      aria-label="notices"
      aria-live="polite"
      className="pointer-events-none fixed right-3 bottom-9 z-60 flex w-96 max-w-[calc(100vw-1.5rem)] flex-col gap-2"
    >
      {notices.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function NoticeCard({ notice: { id, text, error } }: { readonly notice: Notice }) {
  useEffect(() => {
    if (error !== null) return;
    const timer = setTimeout(() => dismiss(id), shownMs);
    return () => clearTimeout(timer);
  }, [id, error]);
  return (
    <div
      className={`pointer-events-auto rounded border bg-panel p-2.5 shadow-lg ${error === null ? 'border-line' : 'border-failed/60'}`}
    >
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1 wrap-break-word">
          <p className={error === null ? '' : 'font-medium'}>{text}</p>
          {error !== null && (
            <>
              <p className="mt-1">
                <code className="mr-1.5 font-mono text-failed">{error.code}</code>
                {error.message}
              </p>
              {error.next !== '' && <p className="mt-1 text-quiet">{error.next}</p>}
            </>
          )}
        </div>
        <Button look="quiet" aria-label="Close this notice" className="px-1" onClick={() => dismiss(id)}>
          <X size={14} aria-hidden="true" />
        </Button>
      </div>
      {error !== null && (
        <div className="mt-1 -ml-2 flex gap-1">
          <Button
            look="quiet"
            onClick={() => void navigator.clipboard.writeText(JSON.stringify(error.toData(), null, 2))}
          >
            Copy details
          </Button>
          {error.code === 'admission-denied' && <CommandButton command="permissions" look="quiet" />}
        </div>
      )}
    </div>
  );
}
