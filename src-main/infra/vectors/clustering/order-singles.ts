import type { ClusterLevel } from './cluster-file.ts';

/**
 * Sorts clusters of one, which come last at each level, by the order in which coarser levels contain them: rows that later join the same
 * group are side by side. Without a coarser group they stay in the order of their rows.
 * @param levels Nested, finest first; changed in place.
 */
export function orderSingles(levels: readonly ClusterLevel[]): void {
  let places: Int32Array | undefined;
  for (const level of levels.toReversed()) {
    if (places) sortTail(level, places);
    places = placesOf(level, places);
  }
}

/** @param places By row: position of its cluster among those of the coarser levels. */
function sortTail({ labels, offsets, members }: ClusterLevel, places: Int32Array): void {
  const nClusters = offsets.length - 1;
  let first = nClusters;
  while (first > 0 && (offsets[first] as number) - (offsets[first - 1] as number) === 1) first -= 1;
  const tail = members.subarray(offsets[first], offsets[nClusters]);
  const count = labels.length;
  // Combines position and row in one number: typed arrays of numbers sort without a comparison function.
  const keys = Float64Array.from(tail, (row) => (places[row] as number) * count + row).sort();
  for (let at = 0; at < tail.length; at += 1) {
    const row = (keys[at] as number) % count;
    tail[at] = row;
    labels[row] = first + at;
  }
}

/** Returns the position of each row's cluster, when clusters are ordered by the coarser cluster that contains them and then by number. */
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
