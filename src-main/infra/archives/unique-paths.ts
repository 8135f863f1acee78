import { createHash } from 'node:crypto';

/**
 * Makes the paths of an archive's files unique: the second `a.jpg` becomes `a (2).jpg`. Stores 6 bytes of a hash per path, so that a
 * million paths need little memory. If two hashes collide, a path gets an unnecessary number.
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
