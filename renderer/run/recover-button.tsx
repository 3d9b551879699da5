import { X } from 'lucide-react';
import type { Run } from '../../runtime/contract/index.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { useView } from '../store/view-store.ts';
import { unstage } from './staged-plan.ts';

const noPlan: readonly string[] = [];

/** Recover, with the crash points that were chosen for the next attempt. */
export function RecoverButton({ run: { id, state } }: { readonly run: Run }) {
  const plan = useView(({ plans }) => plans[id] ?? noPlan);
  return (
    <>
      <CommandButton command="recover" look={state === 'interrupted' ? 'primary' : 'plain'} />
      {plan.length > 0 && (
        <ul aria-label="crash points of the next attempt" className="flex flex-wrap items-center gap-1 text-[12px]">
          {plan.map((point) => (
            <li
              key={point}
              className="inline-flex items-center gap-1 rounded border border-kill/50 px-1.5 py-0.5 text-kill"
            >
              <span aria-hidden="true">▽</span>
              <span className="font-mono">{point}</span>
              <button
                type="button"
                aria-label={`Take back ${point}`}
                className="rounded hover:bg-kill/15"
                onClick={() => unstage(id, point)}
              >
                <X size={12} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
