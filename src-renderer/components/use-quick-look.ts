import { useState } from 'react';
import type { GridCursor } from './use-grid-cursor.ts';

export interface QuickLookState {
  /** Index of the previewed tile. */
  at: number | null;
  show(index: number): void;
  /** Moves to the next or previous tile, if any. The grid's cursor follows. */
  move(step: -1 | 1, count: number): void;
  close(): void;
  /** Called after closing. Returns the focus to the tile. */
  closed(): void;
}

/** State of the quick look: which tile of a grid is previewed. */
export function useQuickLook(cursor: GridCursor): QuickLookState {
  const [at, setAt] = useState<number | null>(null);
  return {
    at,
    show: setAt,
    move: (step, count) => {
      if (at === null) return;
      const next = Math.min(count - 1, Math.max(0, at + step));
      setAt(next);
      cursor.moveTo(next);
    },
    close: () => setAt(null),
    closed: cursor.refocus,
  };
}
