import type { ClusterLevel } from './cluster-file.ts';
import type { NeighborGraph } from './neighbor-graph.ts';
import { PairHeap } from './pair-heap.ts';

interface Cluster {
  size: number;
  sum: Float32Array;
  neighbors: Set<number>;
}

/**
 * Average-linkage agglomeration (UPGMA; Sokal & Michener 1958) constrained to pairs that the neighbour graph connects. The average cosine
 * between two groups of unit vectors is the inner product of their sums over the product of their sizes, so no pair is ever looked at
 * twice. Averages guard against chaining: a thread of look-alikes does not pull two unlike groups together.
 *
 * One run gives all levels: level l holds the groups that stand when no pair is left with an average of at least `cuts[l]`, so
 * every group of a coarser level is a union of groups of the finer ones. The result does not depend on the order of rows but for ties.
 * @param cuts Average cosine similarities, finest (highest) first.
 */
export function agglomerate(options: {
  graph: NeighborGraph;
  vectors: Float32Array;
  dim: number;
  cuts: readonly number[];
  dead: ReadonlySet<number>;
  signal?: AbortSignal;
}): ClusterLevel[] {
  const { graph, vectors, dim, cuts, dead, signal } = options;
  const clusters = new Map<number, Cluster>();
  const parent = Int32Array.from({ length: graph.count }, (_, row) => row);
  const heap = new PairHeap();

  for (let row = 0; row < graph.count; row += 1) {
    if (!dead.has(row))
      clusters.set(row, { size: 1, sum: vectors.slice(row * dim, (row + 1) * dim), neighbors: new Set() });
  }
  const lowest = cuts.at(-1) ?? 1;
  for (let row = 0; row < graph.count; row += 1) {
    for (let at = row * graph.k; at < (row + 1) * graph.k; at += 1) {
      const other = graph.rows[at] ?? -1;
      const mine = clusters.get(row);
      const theirs = clusters.get(other);
      if (!mine || !theirs || mine.neighbors.has(other)) continue;
      mine.neighbors.add(other);
      theirs.neighbors.add(row);
      const similarity = graph.similarities[at] ?? 0;
      if (similarity >= lowest) heap.push(similarity, Math.min(row, other), Math.max(row, other), 2);
    }
  }

  const levels: ClusterLevel[] = [];
  const closeLevelsAbove = (similarity: number) => {
    while (levels.length < cuts.length && similarity < (cuts[levels.length] ?? 0))
      levels.push(snapshot(parent, clusters, vectors, dim, dead));
  };
  let merges = 0;
  for (let pair = heap.pop(); pair; pair = heap.pop()) {
    const a = clusters.get(pair.a);
    const b = clusters.get(pair.b);
    // A pair is out of date when either side has grown or gone since.
    if (!a || !b || a.size + b.size !== pair.sizes) continue;
    closeLevelsAbove(pair.similarity);
    merge(pair.a, a, pair.b, b);
    merges += 1;
    if (merges % 4096 === 0) signal?.throwIfAborted();
  }
  closeLevelsAbove(Number.NEGATIVE_INFINITY);
  return levels;

  /** The side with more neighbours takes the other in and keeps its number. */
  function merge(a_id: number, a: Cluster, b_id: number, b: Cluster): void {
    const keep_a = a.neighbors.size > b.neighbors.size || (a.neighbors.size === b.neighbors.size && a_id < b_id);
    const [id, kept, gone_id, gone] = keep_a ? [a_id, a, b_id, b] : [b_id, b, a_id, a];
    for (let at = 0; at < dim; at += 1) kept.sum[at] = (kept.sum[at] ?? 0) + (gone.sum[at] ?? 0);
    kept.size += gone.size;
    parent[gone_id] = id;
    clusters.delete(gone_id);
    for (const other of gone.neighbors) {
      const neighbor = clusters.get(other);
      if (!neighbor || other === id) continue;
      neighbor.neighbors.delete(gone_id);
      neighbor.neighbors.add(id);
      kept.neighbors.add(other);
    }
    kept.neighbors.delete(gone_id);
    for (const other of kept.neighbors) {
      const neighbor = clusters.get(other);
      if (!neighbor) continue;
      const similarity = dot(kept.sum, neighbor.sum) / (kept.size * neighbor.size);
      if (similarity >= lowest)
        heap.push(similarity, Math.min(id, other), Math.max(id, other), kept.size + neighbor.size);
    }
  }
}

/** The present groups in display order, members by closeness to their group's mean. */
function snapshot(
  parent: Int32Array,
  clusters: ReadonlyMap<number, Cluster>,
  vectors: Float32Array,
  dim: number,
  dead: ReadonlySet<number>,
): ClusterLevel {
  const members = new Map<number, { row: number; closeness: number }[]>();
  for (let row = 0; row < parent.length; row += 1) {
    if (dead.has(row)) continue;
    const root = find(parent, row);
    const sum = clusters.get(root)?.sum;
    const member = { row, closeness: sum ? dot(sum, vectors.subarray(row * dim, (row + 1) * dim)) : 0 };
    const list = members.get(root);
    if (list) list.push(member);
    else members.set(root, [member]);
  }
  const ordered = [...members.values()].sort((a, b) => b.length - a.length || (a[0]?.row ?? 0) - (b[0]?.row ?? 0));
  const level: ClusterLevel = {
    labels: new Int32Array(parent.length).fill(-1),
    offsets: new Int32Array(ordered.length + 1),
    members: new Int32Array(parent.length - dead.size),
  };
  let at = 0;
  for (const [cluster, list] of ordered.entries()) {
    list.sort((a, b) => b.closeness - a.closeness || a.row - b.row);
    for (const { row } of list) {
      level.labels[row] = cluster;
      level.members[at] = row;
      at += 1;
    }
    level.offsets[cluster + 1] = at;
  }
  return level;
}

function find(parent: Int32Array, row: number): number {
  let root = row;
  while (parent[root] !== root) root = parent[root] ?? root;
  for (let at = row; at !== root; ) {
    const next = parent[at] ?? root;
    parent[at] = root;
    at = next;
  }
  return root;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
