import { type PointerEvent, useRef, useState } from 'react';
import { simplify } from './map-marks.ts';

export type Area = [number, number][];

/** Shorter strokes are clicks. */
const LEAST_POINTS = 3;
/** Maximum distance of the area from the drawn line, in pixels. */
const TOLERANCE_PX = 2;
/** Coordinates are rounded to a hundredth of a pixel on a large screen. */
const DECIMALS = 5;

/**
 * An area drawn by hand: with Shift as in grids, or without it when the lasso tool is on.
 * @param placeOf Converts a pointer position to map coordinates.
 * @param onDraw Receives the corners of the area when the button is released.
 */
export function useMapLasso(options: {
  isTool: boolean;
  scale: number;
  placeOf(event: { clientX: number; clientY: number }): { x: number; y: number };
  onDraw(area: Area): void;
}) {
  const { isTool, scale, placeOf, onDraw } = options;
  const line = useRef<Area>([]);
  const [drawn, setDrawn] = useState<Area | undefined>(undefined);
  const add = (event: PointerEvent) => {
    const { x, y } = placeOf(event);
    line.current = [...line.current, [x, y]];
    setDrawn(line.current);
  };
  return {
    /** The line while it is drawn. */
    drawn,
    starts: (event: PointerEvent) => event.button === 0 && (isTool || event.shiftKey),
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      line.current = [];
      add(event);
    },
    onPointerMove: (event: PointerEvent) => {
      if (drawn !== undefined) add(event);
    },
    /** @returns Whether an area was drawn, in which case the following click is ignored. */
    onPointerUp: (): boolean => {
      const isDrawn = drawn !== undefined;
      setDrawn(undefined);
      const area = simplify(line.current, TOLERANCE_PX / scale);
      if (!isDrawn || area.length < LEAST_POINTS) return false;
      onDraw(area.map(([x, y]) => [rounded(x), rounded(y)]));
      return true;
    },
  };
}

function rounded(place: number): number {
  return Number(Math.min(10, Math.max(-10, place)).toFixed(DECIMALS));
}
