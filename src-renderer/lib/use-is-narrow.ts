import { useSyncExternalStore } from 'react';

/** Below this width, side panels cover the page instead of standing beside it. */
const narrow = window.matchMedia('(max-width: 599px)');

function subscribe(onChange: () => void): () => void {
  narrow.addEventListener('change', onChange);
  return () => narrow.removeEventListener('change', onChange);
}

/** Whether the window is too narrow for a panel beside the content. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}
