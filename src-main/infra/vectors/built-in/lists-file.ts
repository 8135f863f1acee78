import { statSync } from 'node:fs';
import { ArrayFile, readArrays, writeArrays } from '../array-file.ts';
import type { InvertedLists } from './inverted-lists.ts';

const MAGIC = 0x56494c31;
const HEAD = 6;
const RECALL_UNIT = 1e-6;

/**
 * Writes inverted lists. Layout, little endian: magic, dim, count, number of lists, rows when trained, number of probe plans as int32; the
 * plans (k, lists and recall in millionths, int32); the centres (float32); the offsets and the rows (int32).
 */
export function writeLists(file: string, lists: InvertedLists): void {
  const { dim, count, trainedCount, centres, offsets, rows, probes } = lists;
  const head = Int32Array.of(MAGIC, dim, count, offsets.length - 1, trainedCount, probes.length);
  const plans = Int32Array.from(probes.flatMap((plan) => [plan.k, plan.lists, Math.round(plan.recall / RECALL_UNIT)]));
  writeArrays(file, [head, plans, centres, offsets, rows]);
}

/** @throws Error when the file is not a file of inverted lists. */
export function readLists(file: string): InvertedLists {
  const buffer = readArrays(file);
  const head = new Int32Array(buffer, 0, Math.min(HEAD, Math.floor(buffer.byteLength / 4)));
  const [, dim = 0, count = 0, nLists = 0, trainedCount = 0, nPlans = 0] = head;
  if (bytesOfLists(head) !== buffer.byteLength) throw new Error('not a file of inverted lists');
  const [plansAt, centresAt] = [HEAD * 4, (HEAD + nPlans * 3) * 4];
  const offsetsAt = centresAt + nLists * dim * 4;
  const plans = new Int32Array(buffer, plansAt, nPlans * 3);
  return {
    dim,
    count,
    trainedCount,
    centres: new Float32Array(buffer, centresAt, nLists * dim),
    offsets: new Int32Array(buffer, offsetsAt, nLists + 1),
    rows: new Int32Array(buffer, offsetsAt + (nLists + 1) * 4, nLists === 0 ? 0 : count),
    probes: Array.from({ length: nPlans }, (_, nth) => {
      const [k = 0, lists = 0, recall = 0] = plans.subarray(nth * 3, nth * 3 + 3);
      return { k, lists, recall: recall * RECALL_UNIT };
    }),
  };
}

/** Whether header and length are those of inverted lists of `count` rows. */
export function isWholeLists(path: string, count: number): boolean {
  const { size } = statSync(path);
  if (size < HEAD * 4) return false;
  const head = ArrayFile.use(path, (file) => file.readInts(0, HEAD));
  return head[2] === count && bytesOfLists(head) === size;
}

/** Returns the length of a file that starts with `head`, its first six numbers; undefined when it is not a file of inverted lists. */
function bytesOfLists(head: Int32Array): number | undefined {
  const [magic, dim = 0, count = 0, nLists = 0, , nPlans = 0] = head;
  if (magic !== MAGIC || head.length < HEAD) return undefined;
  return 4 * (HEAD + nPlans * 3 + nLists * dim + nLists + 1 + (nLists === 0 ? 0 : count));
}
