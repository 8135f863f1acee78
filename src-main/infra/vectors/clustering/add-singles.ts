import type { ClusterLevel } from './cluster-file.ts';

/** Appends rows without a cluster to a level, each as a cluster of one. */
export function addSingles({ labels, offsets, members }: ClusterLevel, rows: Int32Array): ClusterLevel {
  if (rows.length === 0) return { labels, offsets, members };
  const nKnown = offsets.length - 1;
  const labelled = labels.slice();
  const added = {
    offsets: new Int32Array(offsets.length + rows.length),
    members: new Int32Array(members.length + rows.length),
  };
  added.offsets.set(offsets);
  added.members.set(members);
  added.members.set(rows, members.length);
  for (let at = 0; at < rows.length; at += 1) {
    labelled[rows[at] as number] = nKnown + at;
    added.offsets[offsets.length + at] = members.length + at + 1;
  }
  return { labels: labelled, ...added };
}
