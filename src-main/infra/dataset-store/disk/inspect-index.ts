import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Message, message } from '../../../contract/messages.ts';
import type { InspectionDepth } from '../../../core/ports/damage.ts';
import { bytesOfLists } from '../../vectors/built-in/lists-file.ts';
import { readClusters } from '../../vectors/clustering/cluster-file.ts';
import { readGraph } from '../../vectors/neighbors/neighbor-graph.ts';
import type { PublishedFiles } from '../read/index-reader.ts';
import { checksumOf } from './file-checksum.ts';

/** The first problem with the files of a published index; undefined without one. */
export function inspectIndex(
  indexFolder: string,
  { stem, count, sha256 = {} }: PublishedFiles,
  depth: InspectionDepth,
): Message | undefined {
  const file = (extension: string) => join(indexFolder, `${stem}.${extension}`);
  const hasLists = sha256.lists !== undefined;
  const extensions = ['knn', 'clusters', 'uniqueness', ...(hasLists ? ['lists'] : [])];
  const missing = extensions.find((extension) => !existsSync(file(extension)));
  if (missing !== undefined) return message('file_missing', { file: `${stem}.${missing}` });
  if (statSync(file('uniqueness')).size !== count * 4) return message('file_cut', { file: `${stem}.uniqueness` });
  if (!isWholeGraph(file('knn'), count)) return message('file_cut_or_damaged', { file: `${stem}.knn` });
  if (!isWholeClusters(file('clusters'))) return message('file_cut_or_damaged', { file: `${stem}.clusters` });
  if (hasLists && !isWholeLists(file('lists'), count)) return message('file_cut_or_damaged', { file: `${stem}.lists` });
  if (depth === 'quick') return undefined;
  const changed = Object.keys(sha256).find((extension) => checksumOf(file(extension)) !== sha256[extension]);
  if (changed !== undefined) return message('file_damaged', { file: `${stem}.${changed}` });
  if (readGraph(file('knn')).rows.some((row) => row < -1 || row >= count))
    return message('file_damaged', { file: `${stem}.knn` });
  const isSound = readClusters(file('clusters')).every(
    ({ labels, offsets, members }) =>
      labels.length === count &&
      labels.every((label) => label >= -1 && label < offsets.length - 1) &&
      members.every((row) => row >= 0 && row < count),
  );
  return isSound ? undefined : message('file_damaged', { file: `${stem}.clusters` });
}

/** Header and length (see neighbor-graph.ts). */
function isWholeGraph(path: string, count: number): boolean {
  return withFile(path, (readInts, bytes) => {
    const [, graphCount, k] = readInts(0, 4);
    return graphCount === count && k !== undefined && bytes === 16 + count * k * 8;
  });
}

/** The lengths that its levels state add up to its own (see cluster-file.ts). */
function isWholeClusters(path: string): boolean {
  return withFile(path, (readInts, bytes) => {
    const [, levels = 0] = readInts(0, 2);
    let at = 8;
    for (let level = 0; level < levels && at <= bytes; level += 1) {
      const lengths = readInts(at, 3);
      if (lengths.length < 3 || lengths.some((length) => length < 0)) return false;
      at += 12 + lengths.reduce((sum, length) => sum + length * 4, 0);
    }
    return levels > 0 && at === bytes;
  });
}

/** Header and length (see lists-file.ts). */
function isWholeLists(path: string, count: number): boolean {
  return withFile(path, (readInts, bytes) => {
    const head = readInts(0, 6);
    return head[2] === count && bytesOfLists(head) === bytes;
  });
}

function withFile(
  path: string,
  use: (readInts: (at: number, n: number) => Int32Array, bytes: number) => boolean,
): boolean {
  const opened = openSync(path, 'r');
  try {
    const readInts = (at: number, n: number) => {
      const bytes = new Uint8Array(n * 4);
      const read = readSync(opened, bytes, 0, bytes.length, at);
      return new Int32Array(bytes.buffer, 0, Math.floor(read / 4));
    };
    return use(readInts, fstatSync(opened).size);
  } finally {
    closeSync(opened);
  }
}
