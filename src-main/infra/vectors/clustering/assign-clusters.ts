import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import type { NeighborGraph } from '../neighbors/neighbor-graph.ts';
import { gatherInto } from '../row-vectors.ts';
import { groupByList, markRows } from '../rows.ts';
import { MAX_PAGES, PAGE_BYTES, paddedBytes, vectorKernels } from '../vector-kernels.ts';
import { type AgglomerateOptions, agglomerate } from './agglomerate.ts';
import type { ClusterLevel } from './cluster-file.ts';
import { averageCosine, makeLevel, sumOfRows } from './cluster-level.ts';

/** Maximum number of rows by which a cluster is compared: those of larger ones are taken at even distances. */
const MOST_SUMMED = 4096;
/** Number of vectors that are read together. */
const BLOCK_ROWS = 4096;
/** Number of components from which the sums of clusters are no longer collected: 128 MB. */
const MOST_COMPONENTS = 2 ** 25;

/**
 * Assigns new rows to clusters and leaves all other rows in theirs. The new rows are first clustered among themselves. Each new group then
 * joins the cluster with the highest average cosine, at the finest level where that is at least the linkage threshold; at coarser levels it
 * stays with that cluster. A group that joins none becomes a cluster, so levels stay nested. Only the clusters of the new rows' neighbours are
 * compared.
 *
 * @param known Levels for the same linkage thresholds. Rows of `options.rows` without a cluster in them are new; rows that are not in
 *   `options.rows` are dropped.
 */
export async function assignToClusters(
  known: readonly ClusterLevel[],
  options: AgglomerateOptions,
): Promise<ClusterLevel[]> {
  const { rows, linkageThresholds } = options;
  const finest = known[0]?.labels ?? new Int32Array();
  const fresh = rows.filter((row) => (finest[row] ?? -1) < 0);
  const history = await agglomerate({ ...options, rows: fresh, onProgress: undefined });
  const groups = history.levels(options.vectors);

  // By row: a row of the cluster that it has joined; -1 while it has joined none.
  const guides = new Int32Array(options.graph.count).fill(-1);
  const isAlive = markRows(options.graph.count, rows);
  // One memory for all sums: V8 does not count such memories, and would free several too late.
  const memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared: true });
  return linkageThresholds.map((threshold, level) => {
    const clusters = known[level];
    const own = groups[level];
    if (!clusters || !own) throw new Error('the clusters are of other levels');
    joinClusters(clusters, own, threshold, { ...options, guides, isAlive, memory });
    return mergeLevels(clusters, own, guides, isAlive);
  });
}

/** Joins the groups of one level to clusters, and writes the guides of their rows. */
function joinClusters(
  clusters: ClusterLevel,
  own: ClusterLevel,
  threshold: number,
  options: SumOptions & { graph: NeighborGraph; guides: Int32Array },
): void {
  const { graph, vectors, guides } = options;
  const joinAll = (groups: readonly Joining[]) => {
    const sums = sumsOf(clusters, new Set(groups.flatMap(({ near }) => [...near.keys()])), options);
    for (const { members, near } of groups) {
      const sum = sumOfRows(vectors, members);
      let best = { cluster: -1, similarity: threshold, guide: -1 };
      for (const [cluster, guide] of near) {
        const other = sums.get(cluster) as Sum;
        const similarity = averageCosine(sum, members.length, other.sum, other.size);
        const isBetter = similarity > best.similarity || (similarity === best.similarity && guide < best.guide);
        if (best.cluster < 0 ? similarity >= threshold : isBetter) best = { cluster, similarity, guide };
      }
      if (best.cluster >= 0) for (const row of members) guides[row] = best.guide;
    }
  };
  let [waiting, nNear]: [Joining[], number] = [[], 0];
  for (let group = 0; group + 1 < own.offsets.length; group += 1) {
    const members = own.members
      .subarray(own.offsets[group], own.offsets[group + 1])
      .filter((row) => guides[row] === -1);
    if (members.length === 0) continue;
    const near = clustersNear(members, clusters, graph);
    waiting.push({ members, near });
    nNear += near.size;
    if (nNear * vectors.dim < MOST_COMPONENTS) continue;
    joinAll(waiting);
    [waiting, nNear] = [[], 0];
  }
  joinAll(waiting);
}

/** New rows of a group that have joined no cluster, and the clusters near them as {@link clustersNear} returns them. */
interface Joining {
  members: Int32Array;
  near: ReadonlyMap<number, number>;
}

interface SumOptions {
  vectors: RowVectors;
  isAlive: Uint8Array;
  /** Memory of the kernels for the sums, which are valid until the next ones are computed. */
  memory: WebAssembly.Memory;
}

/** The sum of the vectors of some rows, and their number. */
interface Sum {
  sum: Float32Array;
  size: number;
}

/**
 * Sums of the vectors of some clusters, with the number of summed rows. All rows are read in ascending order: single vectors would take many
 * times as long to read from a disk.
 */
function sumsOf(
  { labels, members, offsets }: ClusterLevel,
  wanted: ReadonlySet<number>,
  { vectors, isAlive, memory }: SumOptions,
): Map<number, Sum> {
  const { dim } = vectors;
  const bytes = paddedBytes(dim);
  const blockAt = wanted.size * bytes;
  const nPages = Math.ceil((blockAt + BLOCK_ROWS * dim * 4 + bytes) / PAGE_BYTES);
  memory.grow(Math.max(0, nPages - memory.buffer.byteLength / PAGE_BYTES));
  const { addVector } = vectorKernels(memory);
  new Uint8Array(memory.buffer, 0, blockAt).fill(0);
  const sums = new Map<number, Sum>();
  const chosen: number[] = [];
  for (const cluster of wanted) {
    const all = members.subarray(offsets[cluster], offsets[cluster + 1]);
    const step = Math.ceil(all.length / MOST_SUMMED);
    const before = chosen.length;
    for (let nth = 0; nth < all.length; nth += step) {
      if (isAlive[all[nth] as number] === 1) chosen.push(all[nth] as number);
    }
    const sum = new Float32Array(memory.buffer, sums.size * bytes, dim);
    sums.set(cluster, { sum, size: chosen.length - before });
  }
  const rows = Int32Array.from(chosen).sort();
  for (let first = 0; first < rows.length; first += BLOCK_ROWS) {
    const block = rows.subarray(first, first + BLOCK_ROWS);
    gatherInto(vectors, block, new Float32Array(memory.buffer, blockAt, block.length * dim));
    for (let nth = 0; nth < block.length; nth += 1) {
      const { sum } = sums.get(labels[block[nth] as number] as number) as Sum;
      addVector(sum.byteOffset, blockAt + nth * dim * 4, Math.ceil(dim / 4) * 16);
    }
  }
  return sums;
}

/** Known clusters of the rows' neighbours, by number, each with one of its rows. */
function clustersNear(
  members: Int32Array,
  clusters: ClusterLevel,
  { rows, k }: AgglomerateOptions['graph'],
): Map<number, number> {
  const near = new Map<number, number>();
  for (const row of members) {
    for (let at = row * k; at < (row + 1) * k; at += 1) {
      const neighbor = rows[at] as number;
      const cluster = neighbor < 0 ? -1 : (clusters.labels[neighbor] ?? -1);
      if (cluster >= 0 && !near.has(cluster)) near.set(cluster, neighbor);
    }
  }
  return near;
}

/**
 * The known clusters with the rows that joined them, and the groups that joined none. Known members keep their order, and new ones follow in
 * theirs, so the representative of a cluster stays until all rows are clustered again.
 */
function mergeLevels(clusters: ClusterLevel, own: ClusterLevel, guides: Int32Array, isAlive: Uint8Array): ClusterLevel {
  const [nKnown, nOwn] = [clusters.offsets.length - 1, own.offsets.length - 1];
  const rows = new Int32Array(clusters.members.length + own.members.length);
  const groupOf = new Int32Array(rows.length);
  let n = 0;
  const add = (row: number, group: number) => {
    [rows[n], groupOf[n]] = [row, group];
    n += 1;
  };
  for (let cluster = 0; cluster < nKnown; cluster += 1) {
    for (const row of clusters.members.subarray(clusters.offsets[cluster], clusters.offsets[cluster + 1])) {
      if (isAlive[row] === 1) add(row, cluster);
    }
  }
  for (let group = 0; group < nOwn; group += 1) {
    for (const row of own.members.subarray(own.offsets[group], own.offsets[group + 1])) {
      const guide = guides[row] as number;
      add(row, guide >= 0 ? (clusters.labels[guide] as number) : nKnown + group);
    }
  }
  return makeLevel(groupByList(groupOf.subarray(0, n), rows, nKnown + nOwn), isAlive.length);
}
