import { Agglomeration } from './agglomeration.ts';
import { bridgeGroups } from './bridge-groups.ts';
import type { ClusterLevel } from './cluster-file.ts';
import { makeLevel } from './cluster-level.ts';
import type { NeighborGraph } from './neighbor-graph.ts';

/** Times that lonely groups look around at one level; each may make new ones. */
const BRIDGE_ROUNDS = 3;

export interface AgglomerateOptions {
  graph: NeighborGraph;
  vectors: Float32Array;
  dim: number;
  /** Row numbers to group, ascending; the others are in no cluster. */
  rows: Int32Array;
  /** Average cosine similarities, finest (highest) first. */
  cuts: readonly number[];
  threads: number;
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Average-linkage agglomeration (UPGMA; Sokal & Michener 1958) constrained to pairs that the neighbour graph connects. The average cosine
 * between two groups of unit vectors is the inner product of their sums over the product of their sizes, so no pair of rows is ever looked
 * at twice. Averages guard against chaining: a thread of look-alikes does not pull two unlike groups together.
 *
 * One run gives all levels: level l holds the groups that stand when no connected pair is left with an average of at least `cuts[l]`, so
 * every group of a coarser level is a union of groups of the finer ones. The result does not depend on the order of rows but for ties.
 */
export async function agglomerate(options: AgglomerateOptions): Promise<ClusterLevel[]> {
  const { graph, vectors, dim, rows, cuts, threads, onProgress, signal } = options;
  const agglomeration = new Agglomeration({ graph, vectors, dim, rows, lowest: cuts.at(-1) ?? 1 });
  const levels: ClusterLevel[] = [];
  for (const cut of cuts) {
    agglomeration.mergeDownTo(cut, signal);
    let group_of = groupsOf(agglomeration, rows);
    for (let round = 0; round < BRIDGE_ROUNDS; round += 1) {
      const groups = new Int32Array(new Set(group_of)).sort();
      if ((await bridgeGroups(agglomeration, groups, dim, threads, signal)) < cut) break;
      agglomeration.mergeDownTo(cut, signal);
      group_of = groupsOf(agglomeration, rows);
    }
    levels.push(snapshot(agglomeration, options, group_of));
    onProgress?.(levels.length / cuts.length);
  }
  return levels;
}

function groupsOf(agglomeration: Agglomeration, rows: Int32Array): Int32Array {
  return rows.map((_, place) => agglomeration.groupOf(place));
}

function snapshot(
  agglomeration: Agglomeration,
  { graph, vectors, rows }: AgglomerateOptions,
  group_of: Int32Array,
): ClusterLevel {
  return makeLevel({
    group_of,
    n_groups: rows.length,
    rows,
    count: graph.count,
    closeness: (place) => agglomeration.closeness(group_of[place] as number, vectors, rows[place] as number),
  });
}
