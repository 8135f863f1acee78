/**
 * Compiles patterns of files and folders to exclude. Everything below an excluded folder is excluded too. Case is ignored.
 *
 * - `*` matches any run of characters within a name, `?` one character, `**` any number of folders (zero included).
 * - A pattern without a slash is compared with every name on the path: `*.tmp.jpg`, `cache`.
 * - A pattern with a slash starts at the watched folder: `export/*.png`, `2019/**\/raw`; `/cache` matches only at the top.
 * - A pattern with a slash at the end matches only the content of folders: `raw/`.
 *
 * Matching takes linear space, and time bounded by the product of both lengths, whatever the pattern.
 * @returns A function that returns whether a path is excluded. The path is relative to the watched folder, with `/` between folders.
 */
export function compileExcludes(patterns: readonly string[]): (filePath: string) => boolean {
  const compiled = patterns.map(compile).filter((pattern) => pattern !== undefined);
  if (compiled.length === 0) return () => false;
  return (filePath) => {
    const names = normal(filePath).split('/');
    return compiled.some((pattern) => isMatch(pattern, names));
  };
}

interface Pattern {
  names: string[];
  anchored: boolean;
  folders_only: boolean;
}

function compile(text: string): Pattern | undefined {
  const path = normal(text.trim().replaceAll('\\', '/')).replace(/^\.\//, '');
  const names = path.split('/').filter((name) => name !== '');
  if (names.length === 0) return undefined;
  return { names, anchored: path.slice(0, -1).includes('/'), folders_only: path.endsWith('/') };
}

function normal(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

function isMatch({ names: pattern, anchored, folders_only }: Pattern, names: string[]): boolean {
  const candidates = folders_only ? names.slice(0, -1) : names;
  if (!anchored) return candidates.some((name) => isNameMatch(pattern[0] ?? '', name));
  return isPathMatch(pattern, candidates);
}

/**
 * Whether the pattern matches the path or a folder above it. On a mismatch the search returns to the last `**`; earlier ones need no retry.
 */
function isPathMatch(pattern: string[], names: string[]): boolean {
  let at = 0;
  let back: { at: number; position: number } | undefined;
  for (let position = 0; ; ) {
    const expected = pattern[at];
    if (expected === undefined) return true;
    const name = names[position];
    if (expected === '**') {
      at += 1;
      // `**` at the end matches everything inside.
      if (at === pattern.length) return name !== undefined;
      back = { at, position };
    } else if (name === undefined) {
      return false;
    } else if (isNameMatch(expected, name)) {
      at += 1;
      position += 1;
    } else if (back) {
      back.position += 1;
      ({ at, position } = back);
    } else {
      return false;
    }
  }
}

/** Matches `*` and `?` within one name. On a mismatch the search returns to the last `*` in the same way. */
function isNameMatch(pattern: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let starPosition = 0;
  for (let position = 0; position < name.length; ) {
    if (pattern[at] === '*') {
      star = at;
      starPosition = position;
      at += 1;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[position])) {
      at += 1;
      position += 1;
    } else if (star >= 0) {
      starPosition += 1;
      position = starPosition;
      at = star + 1;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
