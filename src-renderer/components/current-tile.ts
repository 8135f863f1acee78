/** The tile of the grid on this screen that the Tab key reaches; null without a grid. */
export function currentTile(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]');
}
