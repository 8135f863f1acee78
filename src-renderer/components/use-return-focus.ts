import { useRef } from 'react';

interface ReturnFocus {
  onOpenAutoFocus(event: Event): void;
  onCloseAutoFocus(event: Event): void;
}

/**
 * Focus of a dialog without a trigger: starts in the first field, or on the dialog itself (never on the close button, which is first in
 * order), and returns to the previous element unless another element has the focus by then. If there was no previous element or it is gone,
 * the dialog below gets the focus.
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
      if (focusedElement() !== null) return;
      const below = [...document.querySelectorAll('[role="dialog"]')].at(-1);
      const next = opener.current?.isConnected ? opener.current : below;
      if (next instanceof HTMLElement) next.focus();
    },
  };
}

/** The focused element; null if no element has the focus, which the browser reports as focus on the body. */
function focusedElement(): Element | null {
  return document.activeElement === document.body ? null : document.activeElement;
}

/** The focused element. For a menu item, which will be removed, the button that opened the menu. */
function lastingFocus(): Element | null {
  const focused = focusedElement();
  const menu = focused?.closest('[role="menu"]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused;
}
