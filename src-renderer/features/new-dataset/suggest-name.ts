/** An unused dataset name: the requested name, or with the first free number appended. */
export function freeName(requested: string, taken: readonly string[]): string {
  const used = new Set(taken.map((name) => name.toLocaleLowerCase()));
  if (!used.has(requested.toLocaleLowerCase())) return requested;
  for (let number = 2; ; number += 1) {
    const name = `${requested} ${number}`;
    if (!used.has(name.toLocaleLowerCase())) return name;
  }
}

/** Last part of a local path or address, with either kind of slash. */
export function folderName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? '';
}

/** The folder of the files, or the date for loose files. */
export function nameOfFiles(relativePaths: readonly string[], today: Date): string {
  const folders = new Set(relativePaths.map((path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '')));
  const [only] = folders;
  if (folders.size === 1 && only !== undefined && only !== '') return only;
  return today.toLocaleDateString('sv');
}
