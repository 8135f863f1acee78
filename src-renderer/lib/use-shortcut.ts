import { useEffect, useEffectEvent } from 'react';

/** Keys that text fields use themselves. */
const EDITING = ['mod+a', 'mod+z'];

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target instanceof HTMLTextAreaElement || isTextInput(target);
}

function isTextInput(target: HTMLElement): boolean {
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'range', 'button'].includes(target.type);
}

/**
 * Runs an action on a key anywhere in the window (`event.key`, or `mod+k` with Ctrl or Command). Ignored while the user types (except
 * `mod` with keys that text fields do not use),
 * and when a component nearer to the focus or an open dialog has handled the key.
 */
export function useShortcut(key: string, action: () => void, enabled = true): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const withMod = event.ctrlKey || event.metaKey;
    const pressed = withMod ? `mod+${event.key.toLowerCase()}` : event.key;
    if (pressed !== key || event.defaultPrevented || event.altKey) return;
    if ((!withMod || EDITING.includes(pressed)) && isTyping(event.target)) return;
    if (!withMod && document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    if (!enabled) return;
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [enabled]);
}
