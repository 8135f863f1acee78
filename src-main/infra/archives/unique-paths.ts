import { createHash } from 'node:crypto';

/**
 * Gives every file of an archive a path of its own: the second `a.jpg` is `a (2).jpg`. Remembers 6 bytes of a hash a path, so that a
 * million paths stay small; should two hashes ever meet, a path gets a number that it did not need.
 */
export function createUniquePaths(): (path: string) => string {
  const seen = new Set<number>();
  const repeats = new Map<number, number>();
  const take = (path: string): boolean => {
    const size = seen.size;
    return seen.add(keyOf(path)).size > size;
  };
  return (path) => {
    if (take(path)) return path;
    const key = keyOf(path);
    let number = repeats.get(key) ?? 1;
    let candidate: string;
    do {
      number += 1;
      candidate = numbered(path, number);
    } while (!take(candidate));
    repeats.set(key, number);
    return candidate;
  };
}

function keyOf(path: string): number {
  return createHash('sha1').update(path).digest().readUIntBE(0, 6);
}

function numbered(path: string, number: number): string {
  const dot = path.lastIndexOf('.');
  const at = dot > path.lastIndexOf('/') + 1 ? dot : path.length;
  return `${path.slice(0, at)} (${number})${path.slice(at)}`;
}
