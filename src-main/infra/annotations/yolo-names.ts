/**
 * The classes that a YOLO names file declares, by id: `classes.txt` and `obj.names` have one a line, from 0; `data.yaml` has them under
 * `names`, as a list or as pairs of id and name, on one line or on several. Nothing else of YAML is understood.
 */
export function parseYoloNames(fileName: string, text: string): Map<number, string> {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  const names = /\.ya?ml$/i.test(fileName)
    ? yamlNames(lines)
    : lines.map((line, id): [number, string] => [id, line.trim()]);
  return new Map(names.filter(([, name]) => name !== ''));
}

function yamlNames(lines: string[]): [number, string][] {
  const start = lines.findIndex((line) => /^names\s*:/.test(line));
  if (start < 0) return [];
  const first = withoutComment((lines[start] ?? '').replace(/^names\s*:/, '')).trim();
  if (/^[[{]/.test(first)) return flowNames(first, lines.slice(start + 1));
  const names: [number, string][] = [];
  for (const line of lines.slice(start + 1)) {
    const content = withoutComment(line);
    if (content.trim() === '') continue;
    const item = /^\s*-\s*(.*)$/.exec(content);
    const pair = /^\s+['"]?(\d+)['"]?\s*:\s*(.*)$/.exec(content);
    if (item) names.push([names.length, unquoted(item[1] ?? '')]);
    else if (pair) names.push([Number(pair[1]), unquoted(pair[2] ?? '')]);
    else break;
  }
  return names;
}

/** `[a, 'b, c']` or `{0: a, 1: b}`, up to its closing bracket, possibly lines below. */
function flowNames(first: string, more: string[]): [number, string][] {
  const text = [first, ...more.map(withoutComment)].join(' ');
  const parts: string[] = [];
  let part = '';
  let quote = '';
  for (const character of text.slice(1)) {
    if (quote === '' && (character === ']' || character === '}')) break;
    if (quote === '' && character === ',') {
      parts.push(part);
      part = '';
      continue;
    }
    if (character === quote) quote = '';
    else if (quote === '' && part.replace(/^\s*\d+\s*:/, '').trim() === '' && /['"]/.test(character)) quote = character;
    part += character;
  }
  parts.push(part);
  if (text.startsWith('[')) return parts.map((one, id) => [id, unquoted(one)]);
  return parts.flatMap((one): [number, string][] => {
    const pair = /^\s*['"]?(\d+)['"]?\s*:(.*)$/.exec(one);
    return pair ? [[Number(pair[1]), unquoted(pair[2] ?? '')]] : [];
  });
}

function withoutComment(line: string): string {
  return line.replace(/(^|\s)#.*$/, '');
}

function unquoted(text: string): string {
  const plain = text.trim();
  const quoted = /^(['"])(.*)\1$/.exec(plain);
  return quoted ? (quoted[2] ?? '').replaceAll("''", "'") : plain;
}
