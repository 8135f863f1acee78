import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Message, message } from '../../../contract/messages.ts';
import type { Pace } from '../../../core/ports/read-limits.ts';
import type { IndexVersion, SpaceAddress } from '../../../core/ports/vector-engine.ts';
import { checksumOf, pacedChecksumOf } from '../../files/file-checksum.ts';
import type { IndexFiles } from './build-index.ts';
import { isWholeGraph, readGraph } from './graph-file.ts';
import { isWholeLists } from './lists-file.ts';

/** Folder of the index files within a generation's folder. */
export const INDEX_FOLDER = 'index';

/** Files of one version of an index. */
export function indexFiles(
  folder: string,
  { space, entity_type }: Pick<SpaceAddress, 'space' | 'entity_type'>,
  version: number,
): IndexFiles {
  const stem = join(folder, INDEX_FOLDER, `${space}-${entity_type}-${version}`);
  return { graph: `${stem}.knn`, lists: `${stem}.lists` };
}

export function checksumsOf({ graph, lists }: IndexFiles): Record<string, string> {
  return { graph: checksumOf(graph), lists: checksumOf(lists) };
}

/** Returns the first problem with the files of an index; undefined for none. @param pace Undefined to read only their lengths. */
export async function checkIndexFiles(
  { graph, lists }: IndexFiles,
  { count, sha256 }: IndexVersion & { sha256: Readonly<Record<string, string>> },
  pace: Pace | undefined,
): Promise<Message | undefined> {
  const missing = [graph, lists].find((path) => !existsSync(path));
  if (missing !== undefined) return message('file_missing', { file: basename(missing) });
  if (!isWholeGraph(graph, count)) return message('file_cut_or_damaged', { file: basename(graph) });
  if (!isWholeLists(lists, count)) return message('file_cut_or_damaged', { file: basename(lists) });
  if (!pace) return undefined;
  for (const [part, path] of Object.entries({ graph, lists })) {
    if ((await pacedChecksumOf(path, pace)) !== sha256[part]) return message('file_damaged', { file: basename(path) });
  }
  const isSound = readGraph(graph).rows.every((row) => row >= -1 && row < count);
  return isSound ? undefined : message('file_damaged', { file: basename(graph) });
}
