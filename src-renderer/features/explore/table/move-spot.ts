/** Row of the header. */
export const HEAD = -1;

/** A cell of the table. */
export interface Spot {
  row: number;
  column: number;
}

/**
 * The cell to which a key moves the cursor, or undefined.
 * @param isFar With Ctrl or Command: to the first or last row.
 */
export function spotAfter(
  key: string,
  { row, column }: Spot,
  { count, columns, pageRows, isFar }: { count: number; columns: number; pageRows: number; isFar: boolean },
): Spot | undefined {
  const toRow = (to: number): Spot => ({ row: Math.min(count - 1, Math.max(HEAD, to)), column });
  const toColumn = (to: number): Spot => ({ row, column: Math.min(columns - 1, Math.max(0, to)) });
  switch (key) {
    case 'ArrowDown':
      return toRow(isFar ? count - 1 : row + 1);
    case 'ArrowUp':
      return toRow(isFar ? 0 : row - 1);
    case 'ArrowRight':
      return toColumn(isFar ? columns - 1 : column + 1);
    case 'ArrowLeft':
      return toColumn(isFar ? 0 : column - 1);
    case 'PageDown':
      return toRow(row + pageRows);
    case 'PageUp':
      return toRow(Math.max(0, row - pageRows));
    case 'Home':
      return isFar ? { row: 0, column: 0 } : toColumn(0);
    case 'End':
      return isFar ? { row: count - 1, column: columns - 1 } : toColumn(columns - 1);
    default:
      return undefined;
  }
}
