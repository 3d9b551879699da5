import { useEffect } from 'react';
import { onTheme, readColours } from './timeline-colours.ts';
import { drawTimeline } from './timeline-draw.ts';
import type { Scene } from './timeline-scene.ts';

/** With reduced motion, what is open grows once a second instead of with each frame. */
const calmMs = 1000;

/** Tells the inner size of an element, now and when it changes. */
export function useSize(
  target: { readonly current: HTMLElement | null },
  take: (size: { width: number; height: number }) => void,
): void {
  useEffect(() => {
    const element = target.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => take({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, [target, take]);
}

/** Draws when something changed or was scrolled, and with each frame while an attempt lives. */
export function useDrawing(
  target: { readonly current: HTMLCanvasElement | null },
  scroller: { readonly current: HTMLElement | null },
  sceneNow: () => Scene,
  isLive: boolean,
): void {
  useEffect(() => {
    const canvas = target.current;
    const pen = canvas?.getContext('2d');
    const scrolled = scroller.current;
    if (canvas === null || pen == null || scrolled === null) return;
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    let colours = readColours();
    let frame = 0;
    const draw = (): void => {
      frame = 0;
      const scene = sceneNow();
      fit(canvas, scene);
      pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
      drawTimeline(pen, scene, colours);
      if (isLive && !isCalm) ask();
    };
    const ask = (): void => void (frame ||= requestAnimationFrame(draw));
    const timer = isLive && isCalm ? setInterval(ask, calmMs) : undefined;
    const stopTheme = onTheme(() => {
      colours = readColours();
      ask();
    });
    scrolled.addEventListener('scroll', ask, { passive: true });
    ask();
    return () => {
      cancelAnimationFrame(frame);
      clearInterval(timer);
      stopTheme();
      scrolled.removeEventListener('scroll', ask);
    };
  }, [target, scroller, sceneNow, isLive]);
}

/** As many pixels as the screen has there. Setting a canvas's size clears it, so only when it changed. */
function fit(canvas: HTMLCanvasElement, { width, height }: Scene): void {
  const [wide, high] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
  if (canvas.width === wide && canvas.height === high) return;
  canvas.width = wide;
  canvas.height = high;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}
