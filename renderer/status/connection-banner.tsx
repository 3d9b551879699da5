import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { clockTime } from '../design/words.ts';
import { lab } from '../lab/lab.ts';
import type { Connection } from '../lab/resuming-client.ts';
import { useLab } from '../store/lab-store.ts';

/** Says calmly that what is shown is not live any more. It stays until the host answers again. */
export function ConnectionBanner() {
  const connection = useLab(({ connection }) => connection);
  // Since when it is lost, and why it still is: each try that fails is told as a new loss.
  const [loss, setLoss] = useState<Extract<Connection, { state: 'lost' }> | null>(null);
  if (connection.state === 'lost' && loss?.reason !== connection.reason) {
    setLoss({ ...connection, since: loss?.since ?? connection.since });
  }
  if (connection.state === 'open' && loss !== null) setLoss(null);
  const wasRead = useLab(({ info }) => info !== null);
  if (loss === null || connection.state === 'open') return null;
  return (
    <div
      role="status"
      className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-waiting/10 px-3 py-1"
    >
      <p className="min-w-0 flex-1">
        <b className="font-semibold">No connection to the lab.</b> {sentence(loss.reason)}{' '}
        {wasRead && `What you see is as of ${clockTime(loss.since)}. `}
        The page connects again by itself and misses nothing.
      </p>
      <Button onClick={() => lab.retryNow()} disabled={connection.state === 'connecting'}>
        Connect now
      </Button>
    </div>
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
