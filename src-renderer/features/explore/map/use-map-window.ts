import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useMapStore } from './map.store.ts';
import type { MapWindow } from './map-marks.ts';

/** The whole map with a margin. */
export const WHOLE: MapWindow = { x: -0.02, y: -0.02, side: 1.04 };
const MIN_SIDE = 1 / 400;
const MAX_SIDE = 2;
/** Presses that move less than this many pixels are clicks. */
const CLICK_PX = 4;

export interface MapSize {
  width: number;
  height: number;
}

/** The visible part: upper left corner, and the side of the map in pixels. */
export interface MapFrame extends MapSize {
  left: number;
  top: number;
  scale: number;
}

/** A frame that centres a window at the largest size that fits. */
export function frameOf({ x, y, side }: MapWindow, { width, height }: MapSize): MapFrame {
  const scale = Math.max(1, Math.min(width, height)) / side;
  return { width, height, scale, left: x + side / 2 - width / scale / 2, top: y + side / 2 - height / scale / 2 };
}

/** Zooms a window around a point that stays in place. */
export function zoomWindow({ x, y, side }: MapWindow, factor: number, at: { x: number; y: number }): MapWindow {
  const next = Math.min(MAX_SIDE, Math.max(MIN_SIDE, side / factor));
  const share = next / side;
  return { x: at.x - (at.x - x) * share, y: at.y - (at.y - y) * share, side: next };
}

/** The visible part of the map: dragging moves it, the wheel zooms. */
export function useMapWindow(key: string, stage: RefObject<HTMLElement | null>, size: MapSize, isDrawing: boolean) {
  const window = useMapStore(({ windows }) => windows[key] ?? WHOLE);
  const look = useMapStore((store) => store.look);
  const setWindow = (next: MapWindow) => look(key, next);
  const frame = useMemo(() => frameOf(window, size), [window, size]);
  const drag = useRef<{ clientX: number; clientY: number; window: MapWindow } | undefined>(undefined);
  const [isDragging, setDragging] = useState(false);
  const placeOf = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const box = stage.current?.getBoundingClientRect();
    return {
      x: frame.left + (clientX - (box?.left ?? 0)) / frame.scale,
      y: frame.top + (clientY - (box?.top ?? 0)) / frame.scale,
    };
  };
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    setWindow(zoomWindow(window, Math.exp(-event.deltaY / 300), placeOf(event)));
  });
  useEffect(() => {
    const element = stage.current;
    if (element === null) return;
    // Added to the element directly: React's wheel listeners are passive and cannot prevent the page from scrolling.
    const listener = (event: WheelEvent) => onWheel(event);
    element.addEventListener('wheel', listener, { passive: false });
    return () => element.removeEventListener('wheel', listener);
  }, [stage]);

  return {
    window,
    frame,
    isDragging,
    placeOf,
    fit: () => setWindow(WHOLE),
    zoomBy: (factor: number) => setWindow(zoomWindow(window, factor, middleOf(window))),
    /** Moves by fractions of the visible part. */
    moveBy: (x: number, y: number) =>
      setWindow({ ...window, x: window.x + x * window.side, y: window.y + y * window.side }),
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || isDrawing) return;
      drag.current = { clientX: event.clientX, clientY: event.clientY, window };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = drag.current;
      if (from === undefined) return;
      const [dx, dy] = [event.clientX - from.clientX, event.clientY - from.clientY];
      if (!isDragging) {
        if (Math.hypot(dx, dy) < CLICK_PX) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragging(true);
      }
      setWindow({ ...from.window, x: from.window.x - dx / frame.scale, y: from.window.y - dy / frame.scale });
    },
    onPointerUp: () => {
      drag.current = undefined;
      // Suppresses the click after a drag.
      setTimeout(() => setDragging(false));
    },
  };
}

export function middleOf({ x, y, side }: MapWindow): { x: number; y: number } {
  return { x: x + side / 2, y: y + side / 2 };
}

/** The square around the visible part of a window. undefined until the frame has a size. */
export function seenWindow({ width, height }: MapSize, window: MapWindow): MapWindow | undefined {
  if (width === 0 || height === 0) return undefined;
  const { x, y } = middleOf(window);
  const side = (window.side * Math.max(width, height)) / Math.min(width, height);
  return { x: x - side / 2, y: y - side / 2, side };
}
