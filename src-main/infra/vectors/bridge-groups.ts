import type { Agglomeration } from './agglomeration.ts';
import { ExactIndex } from './exact-index.ts';
import { emptyGraph, type NeighborGraph, offerNeighbor } from './neighbor-graph.ts';

/** Groups with fewer connections than this look for more. */
const FEW = 6;
const FOUND = 12;
/** Means that are searched at once; bounds memory to a small part of the vectors. */
const CHUNK = 8192;

/**
 * Connects groups whose members' neighbour lists all but end within the group, as those of many copies of one picture do, with the groups
 * whose means are nearest. Without this they could never meet, however alike they are.
 * @param groups All groups of the agglomeration.
 * @returns The highest average cosine among the new connections; -1 when there is none.
 */
export async function bridgeGroups(
  agglomeration: Agglomeration,
  groups: Int32Array,
  dim: number,
  threads: number,
  signal?: AbortSignal,
): Promise<number> {
  const lonely = groups.filter((group) => agglomeration.connectionsOf(group).length < FEW);
  if (lonely.length === 0 || groups.length < 2) return -1;
  const found = emptyGraph(lonely.length, FOUND);
  for (let first = 0; first < groups.length; first += CHUNK) {
    const part = groups.subarray(first, first + CHUNK);
    const index = await ExactIndex.open({ vectors: means(agglomeration, part, dim), dim, count: part.length, threads });
    const block = ExactIndex.blockRows(part.length);
    for (let at = 0; at < lonely.length; at += block) {
      signal?.throwIfAborted();
      const asking = lonely.subarray(at, at + block);
      const { rows, similarities } = await index.searchMany(means(agglomeration, asking, dim), FOUND + 1);
      const each = rows.length / asking.length;
      for (let hit = 0; hit < rows.length; hit += 1) {
        const nth = Math.floor(hit / each);
        const other = part[rows[hit] as number] as number;
        if (other !== asking[nth]) offerNeighbor(found, at + nth, other, similarities[hit] as number);
      }
    }
    await index.close();
  }
  return connectAll(agglomeration, lonely, found);
}

function connectAll(agglomeration: Agglomeration, lonely: Int32Array, found: NeighborGraph): number {
  let highest = -1;
  for (let at = 0; at < found.rows.length; at += 1) {
    const other = found.rows[at] as number;
    if (other < 0) continue;
    agglomeration.connect(lonely[Math.floor(at / FOUND)] as number, other);
    highest = Math.max(highest, found.similarities[at] as number);
  }
  return highest;
}

function means(agglomeration: Agglomeration, groups: Int32Array, dim: number): Float32Array {
  const all = new Float32Array(groups.length * dim);
  for (let at = 0; at < groups.length; at += 1) agglomeration.meanOf(groups[at] as number, all, at * dim);
  return all;
}
