import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useScrollMemory } from '../lib/scroll-memory.ts';

export interface GridCursor {
  focused: number;
  initialOffsetPx: number;
  /** Moves the focus there, scrolling as needed. */
  moveTo(index: number): void;
  /** Puts the focus back on the tile that had it. */
  refocus(): void;
  /** The browser moved the focus there. */
  noticeFocus(index: number): void;
  scrolled(offsetPx: number): void;
  /** True once after `moveTo`. */
  takeFocusRequest(): boolean;
}

/** Focus and scroll position of a grid, found again under the same key when a person comes back to it. */
export function useGridCursor(key: string): GridCursor {
  const [start] = useState(() => useScrollMemory.getState().places.get(key));
  const [cursor, setCursor] = useState({ focused: start?.focused ?? 0 });
  const place = useRef({ offsetPx: start?.offsetPx ?? 0, focused: start?.focused ?? 0 });
  // Coming back, the focus goes where it was.
  const requested = useRef(start !== undefined);

  useEffect(() => () => useScrollMemory.getState().remember(key, place.current), [key]);

  const moveTo = useCallback((index: number) => {
    requested.current = true;
    place.current.focused = index;
    setCursor({ focused: index });
  }, []);
  const refocus = useCallback(() => moveTo(place.current.focused), [moveTo]);
  const noticeFocus = useCallback((index: number) => {
    place.current.focused = index;
    setCursor((old) => (old.focused === index ? old : { focused: index }));
  }, []);
  const scrolled = useCallback((offsetPx: number) => {
    place.current.offsetPx = offsetPx;
  }, []);
  const takeFocusRequest = useCallback(() => {
    const was = requested.current;
    requested.current = false;
    return was;
  }, []);
  const initialOffsetPx = start?.offsetPx ?? 0;
  return useMemo(
    () => ({ focused: cursor.focused, initialOffsetPx, moveTo, refocus, noticeFocus, scrolled, takeFocusRequest }),
    [cursor, initialOffsetPx, moveTo, refocus, noticeFocus, scrolled, takeFocusRequest],
  );
}
