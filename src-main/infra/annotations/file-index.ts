import { type Message, message } from '../../contract/messages.ts';

/** Finds the file to which annotations refer. */
export interface FileIndex {
  /**
   * @param fileKey The file's name as written: a relative path, a bare name, or a path or address on another machine.
   * @param source Relative path of the annotation file, near which files are looked for first.
   */
  match(fileKey: string, source: string): { path: string } | { reason: Message };
}

/**
 * Indexes relative paths with `/`. A key matches the file with exactly that path, relative to the folder of the annotations or to the root.
 * Otherwise it matches the file with that name, ignoring upper and lower case and Unicode composition. Among several files with that name,
 * these are preferred in order: files whose folders agree furthest with the key's, files below the folder of the annotations, files with
 * exactly the same name. If several are left, none matches.
 */
export function createFileIndex(paths: Iterable<string>): FileIndex {
  const known = new Set<string>();
  const byName = new Map<string, string | string[]>();
  for (const path of paths) {
    known.add(path);
    const name = folded(path.slice(path.lastIndexOf('/') + 1));
    const same = byName.get(name);
    if (same === undefined) byName.set(name, path);
    else if (typeof same === 'string') byName.set(name, [same, path]);
    else same.push(path);
  }
  return {
    match: (fileKey, source) => {
      const key = plainKey(fileKey);
      const folder = source.slice(0, Math.max(0, source.lastIndexOf('/')));
      const beside = folder === '' ? key : `${folder}/${key}`;
      if (known.has(beside)) return { path: beside };
      if (known.has(key)) return { path: key };
      const same = byName.get(folded(key.slice(key.lastIndexOf('/') + 1)));
      if (same === undefined) return { reason: message('no_file_named', { file: fileKey }) };
      const likely = typeof same === 'string' ? [same] : narrow(same, key, folder);
      const [path] = likely;
      if (path !== undefined && likely.length === 1) return { path };
      const files = [...likely.slice(0, 3), ...(likely.length > 3 ? ['…'] : [])].join(', ');
      return { reason: message('several_files_named', { file: fileKey, files }) };
    },
  };
}

function narrow(paths: string[], key: string, folder: string): string[] {
  const depths = paths.map((path) => agreeingParts(path, key));
  const deepest = depths.reduce((a, b) => Math.max(a, b), 0);
  let likely = paths.filter((_, at) => depths[at] === deepest);
  for (const closer of [
    (path: string) => folder !== '' && path.startsWith(`${folder}/`),
    (path: string) => path === key || path.endsWith(`/${key}`),
    (path: string) => path.slice(path.lastIndexOf('/') + 1) === key.slice(key.lastIndexOf('/') + 1),
  ]) {
    const fewer = likely.filter(closer);
    if (fewer.length > 0) likely = fewer;
  }
  return likely;
}

/** Counts the parts that two paths share, from the end. */
function agreeingParts(path: string, key: string): number {
  const parts = folded(path).split('/').reverse();
  const searched = folded(key).split('/').reverse();
  let nParts = 0;
  while (nParts < parts.length && nParts < searched.length && parts[nParts] === searched[nParts]) nParts += 1;
  return nParts;
}

function plainKey(fileKey: string): string {
  const parts = fileKey.trim().split(/[/\\]/);
  return parts.filter((part, at) => part !== '.' && !(part === '' && at === 0)).join('/');
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
