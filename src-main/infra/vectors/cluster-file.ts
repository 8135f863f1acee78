import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Clusters of one threshold. Clusters are numbered in display order: the largest first, then by their earliest row. */
export interface ClusterLevel {
  /** Cluster of each row; -1 for a row that is in none. */
  labels: Int32Array;
  /** Members of cluster c are `members[offsets[c] … offsets[c + 1]]`. */
  offsets: Int32Array;
  /** Rows, the most typical of each cluster first. */
  members: Int32Array;
}

const MAGIC = 0x56434c31;

/** Layout, all int32 little endian: magic, number of levels, then for each its three lengths and its three arrays. */
export function writeClusters(file: string, levels: readonly ClusterLevel[]): void {
  const parts: Int32Array[] = [Int32Array.of(MAGIC, levels.length)];
  for (const { labels, offsets, members } of levels) {
    parts.push(Int32Array.of(labels.length, offsets.length, members.length), labels, offsets, members);
  }
  const partial = `${file}.partial`;
  writeFileSync(
    partial,
    Buffer.concat(parts.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength))),
    { flush: true },
  );
  renameSync(partial, file);
}

/** @throws Error when the file is not one of clusters. */
export function readClusters(file: string): ClusterLevel[] {
  const bytes = readFileSync(file);
  const all = new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  if (all[0] !== MAGIC) throw new Error('not a cluster file');
  const levels: ClusterLevel[] = [];
  let at = 2;
  for (let level = 0; level < (all[1] ?? 0); level += 1) {
    const [nLabels = 0, nOffsets = 0, nMembers = 0] = all.subarray(at, at + 3);
    at += 3;
    const take = (length: number) => {
      const part = all.subarray(at, at + length);
      at += length;
      return part;
    };
    levels.push({ labels: take(nLabels), offsets: take(nOffsets), members: take(nMembers) });
  }
  return levels;
}
