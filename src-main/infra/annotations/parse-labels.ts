/**
 * Parses the labels in a cell: a list, `["a", "b"]` (JSON), `['a', 'b']` (Python) or `[a, b]`; anything else is one label, including its
 * commas and semicolons. Blank and repeated labels are omitted.
 */
export function parseLabels(value: unknown): string[] {
  const labels = Array.isArray(value) ? value.map(plainText) : splitCell(plainText(value));
  return [...new Set(labels.map((label) => label.trim()).filter((label) => label !== ''))];
}

/** Returns a cell's text; '' for null and values that are not text. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : '';
}

function splitCell(cell: string): string[] {
  const text = cell.trim();
  if (!text.startsWith('[') || !text.endsWith(']')) return [text];
  const labels: string[] = [];
  let label = '';
  let quote = '';
  for (let at = 1; at < text.length - 1; at += 1) {
    const character = text.charAt(at);
    if (quote !== '' && character === '\\') {
      at += 1;
      label += text.charAt(at);
    } else if (character === quote) {
      quote = '';
    } else if (quote === '' && label.trim() === '' && (character === '"' || character === "'")) {
      quote = character;
      label = '';
    } else if (quote === '' && character === ',') {
      labels.push(label);
      label = '';
    } else {
      label += character;
    }
  }
  return [...labels, label];
}
