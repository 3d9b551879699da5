import type { ReactNode } from 'react';
import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { Button } from '../design/button.tsx';
import { useView } from '../store/view-store.ts';

interface OverlayProps {
  readonly of: 'side' | 'inspector';
  readonly label: string;
  readonly children: ReactNode;
}

/** A pane that a narrow page shows over its middle. Escape and a press beside it close it. */
export function Overlay({ of, label, children }: OverlayProps) {
  const isOpen = useView(({ overlay }) => overlay === of);
  const place = of === 'side' ? 'left-0 border-r' : 'right-0 border-l';
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => useView.setState({ overlay: open ? of : null })}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-black/35" />
        <Dialog.Popup
          className={`fixed inset-y-0 z-40 flex w-80 max-w-[85vw] flex-col border-line bg-panel shadow-xl ${place}`}
        >
          <div className="flex h-10 shrink-0 items-center border-b border-line pr-1 pl-3">
            <Dialog.Title className="flex-1 font-semibold">{label}</Dialog.Title>
            <Dialog.Close render={<Button look="quiet" aria-label={`Close ${label}`} className="px-1.5" />}>
              <X size={15} aria-hidden="true" />
            </Dialog.Close>
          </div>
          <div className="min-h-0 flex-1">{children}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
