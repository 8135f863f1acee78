import { highestFirst } from '../highest-first.ts';
import { groupByList, type RowsByList, rowsOfList } from '../rows.ts';
import type { ClusterLevel } from './cluster-file.ts';
import type { CodeSlots } from './code-slots.ts';

/**
 * Sorts the members of clusters: those that are most similar to the mean of their cluster first, equal ones by row.
 * @param levels Nested, finest first, with members by ascending row; changed in place.
 * @param slots Vectors of the members.
 * @param slotOf By row.
 */
export function orderMembers(levels: readonly ClusterLevel[], slots: CodeSlots, slotOf: Int32Array): void {
  const coarsest = levels.at(-1);
  if (!coarsest) return;
  const nParts = coarsest.offsets.length - 1;
  // All clusters in a coarsest cluster, one after the other: they have the same vectors, which are then in the cache.
  const clustersOf = levels.map(({ offsets, members }) => {
    const clusters = Int32Array.from({ length: offsets.length - 1 }, (_, cluster) => cluster);
    const partOf = clusters.map((cluster) => coarsest.labels[members[offsets[cluster] as number] as number] as number);
    return groupByList(partOf, clusters, nParts);
  });
  for (let part = 0; part < nParts; part += 1) {
    for (const [nth, { offsets, members }] of levels.entries()) {
      for (const cluster of rowsOfList(clustersOf[nth] as RowsByList, part)) {
        sortMembers(members.subarray(offsets[cluster], offsets[cluster + 1]), slots, slotOf);
      }
    }
  }
}

function sortMembers(rows: Int32Array, slots: CodeSlots, slotOf: Int32Array): void {
  // Two members are equally close to their mean.
  if (rows.length <= 2) return;
  const closeness = slots.productsWithSum(rows.map((row) => slotOf[row] as number));
  rows.set(highestFirst(closeness).map((at) => rows[at] as number));
}
