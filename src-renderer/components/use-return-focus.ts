import { useRef } from 'react';

interface ReturnFocus {
  onOpenAutoFocus(event: Event): void;
  onCloseAutoFocus(event: Event): void;
}

/**
 * Focus of a dialog that has no trigger of its own: it starts in the first field, or on the dialog itself (never on the close button, which
 * comes first in order), and goes back to where it was, unless it has a new place by then. Where that is gone, the dialog below has it.
 */
export function useReturnFocus(): ReturnFocus {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus(event) {
      opener.current = lastingFocus();
      if (!(event.target instanceof HTMLElement)) return;
      event.preventDefault();
      const field = event.target.querySelector<HTMLElement>('input:not([type="file"], :disabled), [data-autofocus]');
      (field ?? event.target).focus();
    },
    onCloseAutoFocus(event) {
      event.preventDefault();
      if (document.activeElement !== null && document.activeElement !== document.body) return;
      const below = [...document.querySelectorAll('[role="dialog"]')].at(-1);
      const next = opener.current?.isConnected ? opener.current : below;
      if (next instanceof HTMLElement) next.focus();
    },
  };
}

/** What has the focus; of a menu, which goes away, the button that opened it. */
function lastingFocus(): Element | null {
  const menu = document.activeElement?.closest('[role="menu"]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : document.activeElement;
}
