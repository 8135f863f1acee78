import { type PointerEvent, useRef, useState } from 'react';
import { simplify } from './map-marks.ts';

export type Area = [number, number][];
export type AreaTool = 'lasso' | 'rectangle';

/** Shorter strokes are clicks. */
const LEAST_POINTS = 3;
/** Maximum distance of the area from the drawn line, in pixels. */
const TOLERANCE_PX = 2;
/** Coordinates are rounded to a hundredth of a pixel on a large screen. */
const DECIMALS = 5;

/**
 * An area drawn by hand: with Shift as in grids, or without it when a tool is on.
 * @param placeOf Converts a pointer position to map coordinates.
 * @param onDraw Receives the corners of the area when the button is released.
 */
export function useMapLasso(options: {
  tool: AreaTool | undefined;
  scale: number;
  placeOf(event: { clientX: number; clientY: number }): { x: number; y: number };
  onDraw(area: Area): void;
}) {
  const { tool, scale, placeOf, onDraw } = options;
  const line = useRef<Area>([]);
  const [drawn, setDrawn] = useState<Area | undefined>(undefined);
  const add = (event: PointerEvent) => {
    const { x, y } = placeOf(event);
    const [first = [x, y]] = line.current;
    line.current = tool === 'rectangle' ? rectangle(first, [x, y]) : [...line.current, [x, y]];
    setDrawn(line.current);
  };
  return {
    /** The line while it is drawn. */
    drawn,
    starts: (event: PointerEvent) => event.button === 0 && (tool !== undefined || event.shiftKey),
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
      const area = tool === 'rectangle' ? line.current : simplify(line.current, TOLERANCE_PX / scale);
      if (!isDrawn || area.length < LEAST_POINTS || isThin(area, TOLERANCE_PX / scale)) return false;
      onDraw(area.map(([x, y]) => [rounded(x), rounded(y)]));
      return true;
    },
  };
}

/** Corners of the rectangle between two opposite ones, of which the first stays the first. */
function rectangle([left, top]: Area[number], [right, bottom]: Area[number]): Area {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

/** Whether an area is narrower than a click that slips. */
function isThin(area: Area, least: number): boolean {
  const side = (axis: 0 | 1) => {
    const places = area.map((corner) => corner[axis]);
    return Math.max(...places) - Math.min(...places);
  };
  return Math.min(side(0), side(1)) < least;
}

function rounded(place: number): number {
  return Number(Math.min(10, Math.max(-10, place)).toFixed(DECIMALS));
}
