import { useEffect, useRef, type PointerEvent } from 'react';
import type { Timeline } from './use-timeline.ts';

/** The wheel with Ctrl (or a pinch) zooms at the pointer; sideways, or with Shift, it pans; else the lanes scroll. */
export function useWheel(target: { readonly current: HTMLElement | null }, change: Timeline['change']): void {
  const latest = useRef(change);
  useEffect(() => void (latest.current = change));
  useEffect(() => {
    const element = target.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent): void => {
      const { left, width } = element.getBoundingClientRect();
      const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
      if (event.ctrlKey || event.metaKey) {
        latest.current.zoom(Math.exp(-event.deltaY / 300), (event.clientX - left) / width);
      } else if (Math.abs(sideways) > Math.abs(event.deltaY) || event.shiftKey) {
        latest.current.pan(sideways / width);
      } else return;
      event.preventDefault();
    };
    // React's own wheel listeners are passive: they cannot keep the page from zooming.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [target]);
}

/** Under this many pixels a press is a click. */
const clickReach = 4;

interface Drag {
  begin(this: void, event: PointerEvent<HTMLElement>): void;
  /** Whether the pointer is dragging the clock. */
  move(this: void, event: PointerEvent<HTMLElement>): boolean;
  /** Whether it was. */
  end(this: void, event: PointerEvent<HTMLElement>): boolean;
}

export function useDrag(change: Timeline['change'], width: number): Drag {
  const state = useRef<{ from: number; last: number; isDragging: boolean } | null>(null);
  return {
    begin(event) {
      if (event.button === 0) state.current = { from: event.clientX, last: event.clientX, isDragging: false };
    },
    move(event) {
      const drag = state.current;
      if (drag === null) return false;
      if (!drag.isDragging && Math.abs(event.clientX - drag.from) < clickReach) return false;
      if (!drag.isDragging) event.currentTarget.setPointerCapture(event.pointerId);
      drag.isDragging = true;
      change.pan((drag.last - event.clientX) / width);
      drag.last = event.clientX;
      return true;
    },
    end() {
      const wasDragging = state.current?.isDragging === true;
      state.current = null;
      return wasDragging;
    },
  };
}
