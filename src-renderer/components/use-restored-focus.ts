import { useRef } from 'react';
import { currentTile } from './current-tile.ts';

interface RestoredFocus {
  onOpenAutoFocus(): void;
  onCloseAutoFocus(event: Event): void;
}

/**
 * Focus of a popover that a key can open: returns to the element that had it. From a button of the tray, the focus returns to the current
 * tile of the grid, if there is one.
 */
export function useRestoredFocus(): RestoredFocus {
  const kept = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      kept.current = document.activeElement === document.body ? null : document.activeElement;
    },
    onCloseAutoFocus: (event) => {
      const element = kept.current;
      const isInPlace = element?.isConnected && element.closest('[role="toolbar"]') === null;
      const next = isInPlace ? element : currentTile();
      if (!(next instanceof HTMLElement)) return;
      event.preventDefault();
      next.focus();
    },
  };
}
