import { highestFirst } from '../highest-first.ts';
import type { ClusterLevel } from './cluster-file.ts';
import { type CodeSlots, PLACES } from './code-slots.ts';

/** The last place is for a sum. */
const MEMBERS = PLACES - 1;

/**
 * Sorts the members of clusters: those that are most similar to the mean of their cluster first, equal ones by row.
 * @param levels Members by ascending row; changed in place.
 * @param slots Vectors of the members.
 * @param slotOf By row.
 */
export function orderMembers(levels: readonly ClusterLevel[], slots: CodeSlots, slotOf: Int32Array): void {
  for (const { offsets, members } of levels) {
    for (let cluster = 0; cluster + 1 < offsets.length; cluster += 1) {
      const [from, to] = [offsets[cluster] as number, offsets[cluster + 1] as number];
      // Two members are equally close to their mean.
      if (to - from <= 2) continue;
      const rows = members.subarray(from, to);
      const closeness = closenessOf(
        rows.map((row) => slotOf[row] as number),
        slots,
      );
      rows.set(highestFirst(closeness).map((at) => rows[at] as number));
    }
  }
}

/** Similarities of vectors to their sum, up to a factor. */
function closenessOf(members: Int32Array, slots: CodeSlots): Float32Array {
  const { kernels, vectorBytes, floats, rowsAt, productsAt } = slots;
  const closeness = new Float32Array(members.length);
  const sum = slots.place(MEMBERS);
  floats.fill(0, sum / 4, (sum + vectorBytes) / 4);
  for (let nth = 0; nth < members.length; nth += 1) {
    kernels.addVector(sum, slots.decode(members[nth] as number, nth % MEMBERS), vectorBytes);
  }
  for (let first = 0; first < members.length; first += MEMBERS) {
    const n = Math.min(MEMBERS, members.length - first);
    // A single part is still in its places.
    for (let nth = 0; members.length > MEMBERS && nth < n; nth += 1) slots.decode(members[first + nth] as number, nth);
    kernels.dotProducts(sum, rowsAt, n, slots.place(0), vectorBytes, productsAt);
    closeness.set(floats.subarray(productsAt / 4, productsAt / 4 + n), first);
  }
  return closeness;
}
