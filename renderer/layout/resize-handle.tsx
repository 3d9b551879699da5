import { Separator } from 'react-resizable-panels';

/** The edge between two panes: dragged, moved with arrow keys, double-clicked back to where it was at first. */
export function ResizeHandle({ label }: { readonly label: string }) {
  return (
    <Separator
      aria-label={label}
      className="shrink-0 bg-line transition-colors aria-[orientation=horizontal]:h-px aria-[orientation=vertical]:w-px data-[separator=active]:bg-accent data-[separator=focus]:bg-accent data-[separator=hover]:bg-accent"
    />
  );
}
