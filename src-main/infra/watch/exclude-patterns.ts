/**
 * Compiles patterns of files and folders to leave out; what is below a left-out folder is left out too. Case does not matter.
 *
 * - `*` is any run of characters within a name, `?` one character, `**` any number of folders (none included).
 * - Without a slash a pattern is held against every name on the path: `*.tmp.jpg`, `cache`.
 * - With a slash it starts at the watched folder: `export/*.png`, `2019/**\/raw`; `/cache` is the one at the top.
 * - With a slash at the end it means what is inside of folders alone: `raw/`.
 *
 * Matching takes linear space and at most the product of both lengths in time, whatever the pattern.
 * @returns whether a path relative to the watched folder, `/` between folders, is left out.
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

/** Whether the pattern covers the path or a folder above it. Goes back to the last `**` when stuck; an earlier one need not be tried again. */
function isPathMatch(pattern: string[], names: string[]): boolean {
  let at = 0;
  let back: { at: number; position: number } | undefined;
  for (let position = 0; ; ) {
    const wanted = pattern[at];
    if (wanted === undefined) return true;
    const name = names[position];
    if (wanted === '**') {
      at += 1;
      // At the end it stands for everything inside.
      if (at === pattern.length) return name !== undefined;
      back = { at, position };
    } else if (name === undefined) {
      return false;
    } else if (isNameMatch(wanted, name)) {
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

/** `*` and `?` within one name, by the same way of going back to the last star. */
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
