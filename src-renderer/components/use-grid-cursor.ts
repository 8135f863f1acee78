import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type GridPlace, useScrollMemory } from '../lib/scroll-memory.ts';
import { isFocusFree, isPageCovered } from './free-focus.ts';

export interface GridCursor {
  focused: number;
  initialOffsetPx: number;
  /** Column of the cell that had the focus, in a table. */
  initialColumn: number;
  /** Moves the focus to an index and scrolls to it if needed. */
  moveTo(index: number): void;
  /** Returns the focus to the tile that had it. */
  refocus(): void;
  /** Called when the browser moved the focus to an index, in a table to a column of it. */
  noticeFocus(index: number, column?: number): void;
  scrolled(offsetPx: number): void;
  /** True once after `moveTo`. */
  takeFocusRequest(): boolean;
}

/**
 * Focus and scroll position of a grid, restored under the same key when the user returns.
 * @param takesFocus Whether the first tile gets the focus on the first visit, if no other element has it.
 */
export function useGridCursor(key: string, takesFocus = false): GridCursor {
  const [start] = useState(() => useScrollMemory.getState().places.get(key));
  const [cursor, setCursor] = useState({ focused: start?.focused ?? 0 });
  const place = useRef<GridPlace>({ offsetPx: 0, focused: 0, ...start });
  const requested = useRef(false);
  const isNew = useRef(true);

  useEffect(() => () => useScrollMemory.getState().remember(key, place.current), [key]);

  const moveTo = useCallback((index: number) => {
    requested.current = true;
    place.current.focused = index;
    setCursor({ focused: index });
  }, []);
  const refocus = useCallback(() => moveTo(place.current.focused), [moveTo]);
  const noticeFocus = useCallback((index: number, column?: number) => {
    place.current.focused = index;
    if (column !== undefined) place.current.column = column;
    setCursor((old) => (old.focused === index ? old : { focused: index }));
  }, []);
  const scrolled = useCallback((offsetPx: number) => {
    place.current.offsetPx = offsetPx;
  }, []);
  const takeFocusRequest = useCallback(() => {
    // On return, the focus goes to its previous tile, also from an element of the bar.
    const mayStart = start ? !isPageCovered() : takesFocus && isFocusFree();
    const isRequested = requested.current || (isNew.current && mayStart);
    requested.current = false;
    isNew.current = false;
    return isRequested;
  }, [start, takesFocus]);
  const initialOffsetPx = start?.offsetPx ?? 0;
  const initialColumn = start?.column ?? 0;
  return useMemo(
    () => ({
      focused: cursor.focused,
      initialOffsetPx,
      initialColumn,
      moveTo,
      refocus,
      noticeFocus,
      scrolled,
      takeFocusRequest,
    }),
    [cursor, initialOffsetPx, initialColumn, moveTo, refocus, noticeFocus, scrolled, takeFocusRequest],
  );
}
