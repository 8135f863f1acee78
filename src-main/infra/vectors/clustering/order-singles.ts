import type { ClusterLevel } from './cluster-file.ts';

/**
 * Puts clusters of one, which come last at each level, into the order in which the coarser levels take them in: what joins one group stands
 * side by side before it does. Without a coarser group they stay in the order of their rows.
 * @param levels Nested, finest first; changed in place.
 */
export function orderSingles(levels: readonly ClusterLevel[]): void {
  let places: Int32Array | undefined;
  for (const level of levels.toReversed()) {
    if (places) sortTail(level, places);
    places = placesOf(level, places);
  }
}

/** @param places Of each row, that of its cluster among those of the coarser levels. */
function sortTail({ labels, offsets, members }: ClusterLevel, places: Int32Array): void {
  const nClusters = offsets.length - 1;
  let first = nClusters;
  while (first > 0 && (offsets[first] as number) - (offsets[first - 1] as number) === 1) first -= 1;
  const tail = members.subarray(offsets[first], offsets[nClusters]);
  const count = labels.length;
  // Place and row in one number: typed arrays of numbers sort without a comparison function.
  const keys = Float64Array.from(tail, (row) => (places[row] as number) * count + row).sort();
  for (let at = 0; at < tail.length; at += 1) {
    const row = (keys[at] as number) % count;
    tail[at] = row;
    labels[row] = first + at;
  }
}

/** The place of each row's cluster, when clusters are ordered by those that they lie in and then by their number. */
function placesOf({ labels, offsets, members }: ClusterLevel, coarser: Int32Array | undefined): Int32Array {
  if (!coarser) return labels.slice();
  const nClusters = offsets.length - 1;
  const keys = new Float64Array(nClusters);
  for (let cluster = 0; cluster < nClusters; cluster += 1) {
    keys[cluster] = (coarser[members[offsets[cluster] as number] as number] as number) * nClusters + cluster;
  }
  keys.sort();
  const placeOf = new Int32Array(nClusters);
  for (let place = 0; place < nClusters; place += 1) placeOf[(keys[place] as number) % nClusters] = place;
  return labels.map((cluster) => (cluster < 0 ? -1 : (placeOf[cluster] as number)));
}
