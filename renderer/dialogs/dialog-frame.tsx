import { useRef, type ReactNode } from 'react';
import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { Button } from '../design/button.tsx';
import { openDialog } from '../store/view-store.ts';

interface DialogFrameProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
  /** Buttons at the foot. */
  readonly actions?: ReactNode;
  readonly isWide?: boolean;
  /** What was typed is worth keeping: a press beside the dialog does not close it. */
  readonly isForm?: boolean;
}

/** A dialog of the page. Escape closes it; focus goes back to where it was. */
export function DialogFrame(props: DialogFrameProps) {
  const { title, description, children, actions, isWide = false, isForm = false } = props;
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open disablePointerDismissal={isForm} onOpenChange={(open) => !open && openDialog(null)}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Popup
          ref={popup}
          // What is to be filled in, rather than the button that closes it.
          initialFocus={() =>
            popup.current?.querySelector<HTMLElement>('input:not([type=radio]), select') ?? popup.current
          }
          className={`fixed top-[6vh] outline-none left-1/2 z-50 flex max-h-[88vh] w-full -translate-x-1/2 flex-col rounded-lg border border-line bg-panel shadow-2xl ${isWide ? 'max-w-[min(860px,94vw)]' : 'max-w-[min(560px,94vw)]'}`}
        >
          <div className="flex items-start gap-3 border-b border-line px-4 py-3">
            <div className="min-w-0 flex-1">
              <Dialog.Title className="text-[15px] font-semibold">{title}</Dialog.Title>
              {description !== undefined && (
                <Dialog.Description className="mt-0.5 text-quiet wrap-anywhere">{description}</Dialog.Description>
              )}
            </div>
            <Dialog.Close render={<Button look="quiet" aria-label="Close" className="-mr-2 px-1.5" />}>
              <X size={16} aria-hidden="true" />
            </Dialog.Close>
          </div>
          <div tabIndex={0} className="min-h-0 flex-1 overflow-y-auto px-4 py-3">
            {children}
          </div>
          {actions !== undefined && (
            <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-2.5">
              {actions}
            </div>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Closes the dialog and changes nothing. */
export function LeaveButton({ children = 'Leave' }: { readonly children?: ReactNode }) {
  return <Dialog.Close render={<Button />}>{children}</Dialog.Close>;
}
