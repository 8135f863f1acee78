/** A name that no dataset has yet: the wanted one, or with the first free number after it. */
export function freeName(wanted: string, taken: readonly string[]): string {
  const used = new Set(taken.map((name) => name.toLocaleLowerCase()));
  if (!used.has(wanted.toLocaleLowerCase())) return wanted;
  for (let number = 2; ; number += 1) {
    const name = `${wanted} ${number}`;
    if (!used.has(name.toLocaleLowerCase())) return name;
  }
}

/** Last part of a local path or an address, whichever way its separators lean. */
export function folderName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? '';
}

/** The folder that files came with, or the day for loose files. */
export function nameOfFiles(relativePaths: readonly string[], today: Date): string {
  const folders = new Set(relativePaths.map((path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '')));
  const [only] = folders;
  if (folders.size === 1 && only !== undefined && only !== '') return only;
  return today.toLocaleDateString('sv');
}
