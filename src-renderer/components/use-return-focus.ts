import { useRef } from 'react';

interface ReturnFocus {
  onOpenAutoFocus(event: Event): void;
  onCloseAutoFocus(event: Event): void;
}

/**
 * Focus of a dialog that has no trigger of its own: it starts in the first field, or on the dialog itself (never on the close button, which
 * comes first in order), and goes back to where it was.
 */
export function useReturnFocus(): ReturnFocus {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus(event) {
      opener.current = document.activeElement;
      if (!(event.target instanceof HTMLElement)) return;
      event.preventDefault();
      const field = event.target.querySelector<HTMLElement>('input:not([type="file"], :disabled), [data-autofocus]');
      (field ?? event.target).focus();
    },
    onCloseAutoFocus(event) {
      event.preventDefault();
      if (opener.current instanceof HTMLElement) opener.current.focus();
    },
  };
}
