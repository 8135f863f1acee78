import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';

/** Layout of a grid's tiles, in pixels of its content. */
export interface GridLayout {
  count: number;
  columns: number;
  paddingPx: number;
  /** Distance between the starts of adjacent tiles. */
  columnPx: number;
  rowPx: number;
  tilePx: number;
  tileHeightPx: number;
}

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Presses that move less than this many pixels are clicks. */
const CLICK_PX = 4;
/** Width of the edge zones in which the grid scrolls, and the maximum scroll per frame, in pixels. */
const EDGE_PX = 40;
const SCROLL_PX = 24;

/**
 * Selection by a frame that the user draws with the mouse, from the gaps between tiles or from anywhere with Shift.
 *
 * @param onChoose Receives the indices of the tiles that the frame touches when the button is released.
 * @returns The frame while it is drawn.
 */
export function useLasso(
  scroller: RefObject<HTMLDivElement | null>,
  layout: GridLayout,
  onChoose: ((indexes: number[]) => void) | undefined,
): { box: Box | undefined; onPointerDown(event: PointerEvent): void } {
  const [start, setStart] = useState<{ x: number; y: number } | undefined>(undefined);
  const [box, setBox] = useState<Box | undefined>(undefined);
  const pointer = useRef({ clientX: 0, clientY: 0 });

  const placeOf = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const element = scroller.current;
    const edges = element?.getBoundingClientRect();
    return { x: clientX - (edges?.left ?? 0), y: clientY - (edges?.top ?? 0) + (element?.scrollTop ?? 0) };
  };
  const draw = useEffectEvent(() => {
    if (start === undefined) return;
    const { x, y } = placeOf(pointer.current);
    if (box === undefined && Math.hypot(x - start.x, y - start.y) < CLICK_PX) return;
    setBox({
      left: Math.min(x, start.x),
      top: Math.min(y, start.y),
      width: Math.abs(x - start.x),
      height: Math.abs(y - start.y),
    });
  });
  const end = useEffectEvent(() => {
    setStart(undefined);
    setBox(undefined);
    if (box === undefined) return;
    onChoose?.(tilesWithin(box, layout));
    // Suppresses the click on the tile below the pointer.
    const drop = (event: MouseEvent) => event.stopPropagation();
    window.addEventListener('click', drop, { capture: true, once: true });
    setTimeout(() => window.removeEventListener('click', drop, { capture: true }));
  });
  const scrollAtEdge = useEffectEvent(() => {
    const element = scroller.current;
    if (element === null || box === undefined) return;
    const { top, bottom } = element.getBoundingClientRect();
    const { clientY } = pointer.current;
    const beyond = Math.min(0, clientY - top - EDGE_PX) + Math.max(0, clientY - bottom + EDGE_PX);
    if (beyond === 0) return;
    element.scrollTop += Math.max(-SCROLL_PX, Math.min(SCROLL_PX, beyond / 2));
    draw();
  });

  const isDrawing = start !== undefined;
  useEffect(() => {
    if (!isDrawing) return;
    const onMove = ({ clientX, clientY }: MouseEvent) => {
      pointer.current = { clientX, clientY };
      draw();
    };
    let frameId = requestAnimationFrame(function step() {
      scrollAtEdge();
      frameId = requestAnimationFrame(step);
    });
    window.addEventListener('pointermove', onMove);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
    return () => {
      cancelAnimationFrame(frameId);
      window.removeEventListener('pointermove', onMove);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
    };
  }, [isDrawing]);

  return {
    box,
    onPointerDown: (event) => {
      const isBetween = !(event.target as Element).closest('[data-index]');
      if (onChoose === undefined || event.button !== 0 || !(isBetween || event.shiftKey)) return;
      const edges = scroller.current?.getBoundingClientRect();
      // A press on the scroll bar scrolls.
      if (edges && event.clientX - edges.left >= (scroller.current?.clientWidth ?? 0)) return;
      pointer.current = { clientX: event.clientX, clientY: event.clientY };
      setStart(placeOf(event));
    },
  };
}

/** Indices of the tiles that a frame touches, in order. */
function tilesWithin({ left, top, width, height }: Box, layout: GridLayout): number[] {
  const { count, columns, paddingPx, columnPx, rowPx, tilePx, tileHeightPx } = layout;
  const span = (from: number, to: number, stepPx: number, sizePx: number, most: number): [number, number] => [
    Math.max(0, Math.ceil((from - paddingPx - sizePx) / stepPx)),
    Math.min(most, Math.floor((to - paddingPx) / stepPx)),
  ];
  const [firstColumn, lastColumn] = span(left, left + width, columnPx, tilePx, columns - 1);
  const [firstRow, lastRow] = span(top, top + height, rowPx, tileHeightPx, Math.ceil(count / columns) - 1);
  const indexes: number[] = [];
  for (let row = firstRow; row <= lastRow; row += 1) {
    for (let column = firstColumn; column <= lastColumn; column += 1) {
      const index = row * columns + column;
      if (index < count) indexes.push(index);
    }
  }
  return indexes;
}
