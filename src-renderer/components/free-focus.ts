/** Whether a dialog or menu is open over the page. Only its elements may take the focus. */
export function isPageCovered(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;
}

/**
 * Whether the page may give the focus to one of its elements, because no element has it. While one dialog replaces another, no element
 * has the focus for a moment, but the next dialog is about to take it.
 */
export function isFocusFree(): boolean {
  return document.activeElement === document.body && !isPageCovered();
}
