export type Cell = string | number | null;

/** Formats rows of items as CSV with a header. */
export async function* table<Item>(
  pages: AsyncIterable<Item[]>,
  header: readonly string[],
  rowsOf: (item: Item) => Cell[][],
): AsyncGenerator<string> {
  yield line(header);
  for await (const page of pages) {
    const lines = page.flatMap(rowsOf).map(line);
    if (lines.length > 0) yield lines.join('');
  }
}

/** Formats a CSV line (RFC 4180). */
function line(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

function cellText(cell: Cell): string {
  const text = cell === null ? '' : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
