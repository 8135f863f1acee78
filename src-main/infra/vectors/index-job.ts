import { renameSync, writeFileSync } from 'node:fs';
import type { IndexRequest, IndexSummary } from '../../core/ports/local-jobs.ts';
import { buildNeighborGraph, extendNeighborGraph, type GraphOptions } from './built-in/build-graph.ts';
import { type BuiltLists, buildLists, EXACT_ROWS } from './built-in/build-lists.ts';
import { type InvertedLists, nListsOf, noLists, resizeLists } from './built-in/inverted-lists.ts';
import { readLists, writeLists } from './built-in/lists-file.ts';
import { VectorSegments } from './built-in/vector-segments.ts';
import { addSingles } from './clustering/add-singles.ts';
import { agglomerate } from './clustering/agglomerate.ts';
import { assignToClusters } from './clustering/assign-clusters.ts';
import { type ClusterLevel, readClusters, writeClusters } from './clustering/cluster-file.ts';
import { evenLevels, LEVELS } from './clustering/even-levels.ts';
import { linkageThresholdsOf } from './clustering/linkage-thresholds.ts';
import { orderSingles } from './clustering/order-singles.ts';
import { filterNeighbors, type NeighborGraph, readGraph, writeGraph } from './neighbors/neighbor-graph.ts';
import { hasVector, rowsWhere } from './rows.ts';
import { uniquenessScores } from './uniqueness.ts';

type Request = IndexRequest & { threads: number };

/** Shares of a full job that are the lists and the search for neighbours; for progress only. */
const [LISTS_SHARE, SEARCH_SHARE] = [0.2, 0.5];
const SEARCHED = LISTS_SHARE + SEARCH_SHARE;
/** Centres are trained anew when so many times as many rows are there as they were trained on. */
const OUTGROWN = 2;

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
  // Rows without a vector are like nothing: neighbours of none, each in a cluster of its own.
  const blank = rowsWhere(count, (row) => !dead.has(row) && !hasVector(vectors, dim, row));
  for (const row of blank) dead.add(row);
  const compared = rowsWhere(count, (row) => !dead.has(row));
  const options = { vectors, dim, count, dead, threads, signal };
  const known = knownLists(request);
  const built =
    known || count <= EXACT_ROWS
      ? undefined
      : await buildLists({
          ...options,
          alive: compared,
          onProgress: (fraction) => onProgress?.(fraction * LISTS_SHARE),
        });
  const lists = built?.lists ?? (known && (await resizeLists(known, options)));
  writeLists(request.lists_out, lists ?? noLists(dim, count));
  const graph = await neighborsOf(request, {
    ...options,
    built,
    lists,
    onProgress: (fraction) => onProgress?.(LISTS_SHARE + fraction * SEARCH_SHARE),
  });
  for (const row of blank) filterNeighbors(graph, row, () => false);
  writeGraph(request.graph_out, graph);

  const areKnown = request.linkage_thresholds.length >= LEVELS;
  const candidates = areKnown
    ? request.linkage_thresholds
    : linkageThresholdsOf(graph, vectors, dim, compared, request.linkage_thresholds[0]);
  const grouped = await clustersOf(request, {
    graph,
    vectors,
    dim,
    rows: compared,
    linkageThresholds: candidates,
    threads,
    onProgress: (fraction) => onProgress?.(SEARCHED + fraction * (1 - SEARCHED)),
    signal,
  });
  const chosen = areKnown ? [...candidates.keys()] : evenLevels(grouped);
  const levels = chosen.flatMap((at) => grouped[at] ?? []).map((level) => addSingles(level, blank));
  const linkageThresholds = chosen.flatMap((at) => candidates[at] ?? []);
  orderSingles(levels);
  writeClusters(request.clusters_out, levels);
  writeFloats(request.uniqueness_out, uniquenessScores(graph, dead));
  onProgress?.(1);
  return {
    n_clusters: levels.map((level) => level.offsets.length - 1),
    recall_estimate: graph.recall,
    linkage_thresholds: linkageThresholds,
  };
}

/** Lists of the index before that go on being used. */
function knownLists({ mode, lists_in, count }: Request): InvertedLists | undefined {
  if (mode === 'full' || lists_in === undefined || count <= EXACT_ROWS) return undefined;
  const known = readLists(lists_in);
  return nListsOf(known) > 0 && count <= known.trainedCount * OUTGROWN ? known : undefined;
}

async function neighborsOf(
  request: Request,
  options: GraphOptions & { built: BuiltLists | undefined; lists: InvertedLists | undefined },
): Promise<NeighborGraph> {
  const known = request.mode === 'full' || request.graph_in === undefined ? undefined : readGraph(request.graph_in);
  // Of a graph that has outgrown its lists, most is new.
  const isOutgrown = options.built !== undefined && known !== undefined && known.count * OUTGROWN < options.count;
  return known && !isOutgrown ? extendNeighborGraph(known, options) : buildNeighborGraph(options);
}

async function clustersOf(request: Request, options: Parameters<typeof agglomerate>[0]): Promise<ClusterLevel[]> {
  if (request.mode !== 'extend' || request.clusters_in === undefined) return agglomerate(options);
  const known = readClusters(request.clusters_in);
  return known.length === options.linkageThresholds.length ? assignToClusters(known, options) : agglomerate(options);
}

function writeFloats(file: string, values: Float32Array): void {
  writeFileSync(`${file}.partial`, new Uint8Array(values.buffer, values.byteOffset, values.byteLength), {
    flush: true,
  });
  renameSync(`${file}.partial`, file);
}
