/** Whether a dialog or menu is open over the page. Only its elements may take the focus. */
export function isPageCovered(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;
}

/**
 * Moves the focus to an element at once, so that the next key finds it. An element that is out of sight is rendered with the next frame. By
 * then another key may have opened a dialog, which keeps the focus.
 * @param focus Focuses the element; false if it is not rendered.
 * @param isWanted Whether the element should still have the focus then.
 * @returns Stops waiting for the frame.
 */
export function focusWhenRendered(focus: () => boolean, isWanted = () => true): () => void {
  if (focus()) return () => undefined;
  const frameId = requestAnimationFrame(() => !isPageCovered() && isWanted() && focus());
  return () => cancelAnimationFrame(frameId);
}

/**
 * Whether the page may give the focus to one of its elements, because no element has it. While one dialog replaces another, no element
 * has the focus for a moment, but the next dialog is about to take it.
 */
export function isFocusFree(): boolean {
  return document.activeElement === document.body && !isPageCovered();
}
