import { useState } from 'react';
import type { GridCursor } from './use-grid-cursor.ts';

export interface QuickLookState {
  /** Place of the tile that is looked at. */
  at: number | null;
  show(index: number): void;
  /** To a neighbour, if there is one; the grid's cursor goes along. */
  move(step: -1 | 1, count: number): void;
  close(): void;
  /** It is gone: the focus goes back to the tile. */
  closed(): void;
}

/** Which tile of a grid is looked at. */
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
