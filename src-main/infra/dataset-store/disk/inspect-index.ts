import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Message, message } from '../../../contract/messages.ts';
import type { InspectionDepth } from '../../../core/ports/damage.ts';
import type { Pace } from '../../../core/ports/read-limits.ts';
import { pacedChecksumOf } from '../../files/file-checksum.ts';
import { ArrayFile } from '../../vectors/array-file.ts';
import { readClusters } from '../../vectors/clustering/cluster-file.ts';
import type { PublishedFiles } from '../vectors/index-reader.ts';

/** Returns the first problem with the clusters and scores of a published index; undefined if there is none or no index. */
export async function inspectIndex(
  indexFolder: string,
  { stem, count, sha256 }: PublishedFiles,
  depth: InspectionDepth,
  pace: Pace,
): Promise<Message | undefined> {
  const file = (extension: string) => join(indexFolder, `${stem}.${extension}`);
  const missing = ['clusters', 'uniqueness'].find((extension) => !existsSync(file(extension)));
  if (missing !== undefined) return message('file_missing', { file: `${stem}.${missing}` });
  if (statSync(file('uniqueness')).size !== count * 4) return message('file_cut', { file: `${stem}.uniqueness` });
  if (!isWholeClusters(file('clusters'))) return message('file_cut_or_damaged', { file: `${stem}.clusters` });
  if (depth === 'quick') return undefined;
  for (const [extension, expected] of Object.entries(sha256)) {
    const isSame = (await pacedChecksumOf(file(extension), pace)) === expected;
    if (!isSame) return message('file_damaged', { file: `${stem}.${extension}` });
  }
  const isSound = readClusters(file('clusters')).every(
    ({ labels, offsets, members }) =>
      labels.length === count &&
      labels.every((label) => label >= -1 && label < offsets.length - 1) &&
      members.every((row) => row >= 0 && row < count),
  );
  return isSound ? undefined : message('file_damaged', { file: `${stem}.clusters` });
}

/** Whether the lengths stated by the levels add up to the length of the file (see cluster-file.ts). */
function isWholeClusters(path: string): boolean {
  const { size } = statSync(path);
  if (size < 8) return false;
  return ArrayFile.use(path, (file) => {
    const [, levels = 0] = file.readInts(0, 2);
    let at = 8;
    for (let level = 0; level < levels && at + 12 <= size; level += 1) {
      const lengths = file.readInts(at, 3);
      if (lengths.some((length) => length < 0)) return false;
      at += 12 + lengths.reduce((sum, length) => sum + length * 4, 0);
    }
    return levels > 0 && at === size;
  });
}
