import { renameSync, writeFileSync } from 'node:fs';
import type { IndexRequest, IndexSummary } from '../../core/ports/compute.ts';
import { agglomerate } from './agglomerate.ts';
import { assignToClusters } from './assign-clusters.ts';
import { buildNeighborGraph, extendNeighborGraph, type GraphOptions } from './build-graph.ts';
import { type ClusterLevel, readClusters, writeClusters } from './cluster-file.ts';
import { cutsOfVectors } from './cuts-of-vectors.ts';
import { evenLevels } from './even-levels.ts';
import { type NeighborGraph, readGraph, writeGraph } from './neighbor-graph.ts';
import { rowsWhere } from './rows.ts';
import { uniquenessScores } from './uniqueness.ts';
import { VectorSegments } from './vector-segments.ts';

type Request = IndexRequest & { threads: number };

/** Share of a full job that is the search for neighbours; for progress only. */
const SEARCH_SHARE = 0.7;

/**
 * Runs one index job; everything is read from and written to files, so it can run again after a crash.
 *
 * - `full` searches the neighbours of all rows and clusters them.
 * - `extend` searches only the rows that `graph_in` does not cover, and gives them clusters beside those of `clusters_in`, which keep their
 *   members.
 * - `recluster` takes the neighbours of `graph_in` as they are (searching rows that it lacks) and clusters everything anew.
 *
 * Without a file that a mode needs, the job does what gives it.
 */
export async function runIndexJob(
  request: Request,
  { onProgress, signal }: { onProgress?: (fraction: number) => void; signal?: AbortSignal },
): Promise<IndexSummary> {
  const { dim, count, threads } = request;
  const segments = VectorSegments.openExisting(request.vectors_folder);
  const vectors = segments.readAll(count);
  segments.close();
  const dead = new Set((request.dead_rows ?? []).filter((row) => row < count));
  const graph = await neighborsOf(request, {
    vectors,
    dim,
    count,
    dead,
    threads,
    onProgress: (fraction) => onProgress?.(fraction * SEARCH_SHARE),
    signal,
  });
  writeGraph(request.graph_out, graph);

  const alive = rowsWhere(count, (row) => !dead.has(row));
  const candidates = request.cuts.length > 0 ? request.cuts : cutsOfVectors(graph, vectors, dim, alive);
  const grouped = await clustersOf(request, {
    graph,
    vectors,
    dim,
    rows: alive,
    cuts: candidates,
    threads,
    onProgress: (fraction) => onProgress?.(SEARCH_SHARE + fraction * (1 - SEARCH_SHARE)),
    signal,
  });
  const chosen = request.cuts.length > 0 ? [...candidates.keys()] : evenLevels(grouped);
  const levels = chosen.flatMap((at) => grouped[at] ?? []);
  const cuts = chosen.flatMap((at) => candidates[at] ?? []);
  writeClusters(request.clusters_out, levels);
  writeFloats(request.uniqueness_out, uniquenessScores(graph, dead));
  onProgress?.(1);
  return { n_clusters: levels.map((level) => level.offsets.length - 1), recall_estimate: graph.recall, cuts };
}

async function neighborsOf(request: Request, options: GraphOptions): Promise<NeighborGraph> {
  if (request.mode === 'full' || request.graph_in === undefined) return buildNeighborGraph(options);
  return extendNeighborGraph(readGraph(request.graph_in), options);
}

async function clustersOf(request: Request, options: Parameters<typeof agglomerate>[0]): Promise<ClusterLevel[]> {
  if (request.mode !== 'extend' || request.clusters_in === undefined) return agglomerate(options);
  const known = readClusters(request.clusters_in);
  return known.length === options.cuts.length ? assignToClusters(known, options) : agglomerate(options);
}

function writeFloats(file: string, values: Float32Array): void {
  writeFileSync(`${file}.partial`, new Uint8Array(values.buffer, values.byteOffset, values.byteLength), {
    flush: true,
  });
  renameSync(`${file}.partial`, file);
}
