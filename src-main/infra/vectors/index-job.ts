import { AppError } from '../../contract/errors.ts';
import type { IndexRequest, IndexSummary } from '../../core/ports/index-jobs.ts';
import type {
  BuiltIndex,
  CopyOptions,
  IndexVersion,
  SpaceAddress,
  VectorCollection,
} from '../../core/ports/vector-engine.ts';
import { writeArrays } from './array-file.ts';
import { addSingles } from './clustering/add-singles.ts';
import { type AgglomerateOptions, agglomerate } from './clustering/agglomerate.ts';
import { assignToClusters } from './clustering/assign-clusters.ts';
import { type ClusterLevel, readClusters, writeClusters } from './clustering/cluster-file.ts';
import { defaultLevel } from './clustering/default-level.ts';
import { evenLevels, LEVELS } from './clustering/even-levels.ts';
import { linkageThresholdsOf } from './clustering/linkage-thresholds.ts';
import { orderSingles } from './clustering/order-singles.ts';
import { InnerProducts } from './neighbors/inner-products.ts';
import { collectGraph } from './neighbors/neighbor-graph.ts';
import { type EngineLocation, openVectorEngine } from './open-engine.ts';
import { rowsWhere } from './rows.ts';
import { uniquenessScores } from './uniqueness.ts';

/** Input of an index job, as the store prepares it. */
export type IndexInput = {
  engine: EngineLocation;
  space: SpaceAddress;
  /** Rows without an item. */
  dead_rows: readonly number[];
  /** The index that reads use; undefined before the first. */
  published: (IndexVersion & { clusters_file: string; default_level?: number }) | undefined;
  /** Files that the job writes. */
  clusters_file: string;
  uniqueness_file: string;
};

interface Options {
  threads: number;
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Share of the job for building the engine's index; for progress only. */
const ENGINE_SHARE = 0.7;

/**
 * Runs an index job: the engine's index, clusters at five linkage thresholds, and uniqueness scores. It reads and writes only the engine
 * and files, so a job that was killed can run again. Without a published index, every mode is `full`.
 */
export async function runIndexJob(
  request: IndexRequest,
  { threads, onProgress, signal }: Options,
): Promise<IndexSummary> {
  const { mode, version, count } = request;
  const input = request.input as IndexInput;
  const { published, dead_rows } = input;
  const engine = openVectorEngine(input.engine);
  const collection = engine.open(input.space);
  const { dim } = collection;
  // All steps of the job share what this opens.
  const products = await InnerProducts.open(dim, threads);
  try {
    const {
      recall,
      sha256,
      blank_rows: blank,
      order,
    } = await collection.index({
      version,
      count,
      base: mode === 'full' ? undefined : published,
      dead_rows,
      threads,
      onProgress: (fraction) => onProgress?.(fraction * ENGINE_SHARE),
      signal,
    });
    await copyOut(collection, { count, signal, onProgress: () => onProgress?.(ENGINE_SHARE) });
    const vectors = collection.vectorsOf(count, true);
    const graph = await collectGraph(collection.neighbors({ version, count }), count, recall);
    const dead = new Set(dead_rows.filter((row) => row < count));
    // Rows without a vector have no neighbours; each is a cluster of its own.
    for (const row of blank) dead.add(row);
    const rows = rowsWhere(count, (row) => !dead.has(row));

    const areKnown = request.linkage_thresholds.length >= LEVELS;
    const candidates = areKnown
      ? request.linkage_thresholds
      : linkageThresholdsOf(graph, vectors, rows, request.linkage_thresholds[0]);
    const knownFile = mode === 'extend' ? published?.clusters_file : undefined;
    const { linkageThresholds, clusters } = await clustersOf(knownFile, order, {
      graph,
      vectors,
      rows,
      linkageThresholds: candidates,
      threads,
      onProgress: (fraction) => onProgress?.(ENGINE_SHARE + fraction * (1 - ENGINE_SHARE)),
      signal,
    });
    const levels = clusters.map((level) => addSingles(level, blank));
    orderSingles(levels);
    writeClusters(input.clusters_file, levels);
    writeArrays(input.uniqueness_file, [uniquenessScores(graph, dead)]);
    onProgress?.(1);
    return {
      n_clusters: levels.map((level) => level.offsets.length - 1),
      // Clusters that new rows only join keep the level that is shown first.
      default_level:
        (mode === 'extend' && areKnown ? published?.default_level : undefined) ?? defaultLevel(graph, levels),
      recall_estimate: recall,
      linkage_thresholds: linkageThresholds,
      engine_sha256: sha256,
    };
  } finally {
    await products.close();
    await engine.close();
  }
}

/** Copies vectors to an engine outside of the process. One that cannot be reached gets them with a later index. */
async function copyOut(collection: VectorCollection, options: CopyOptions): Promise<void> {
  try {
    await collection.copyOut(options);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'unavailable')) throw error;
  }
}

/**
 * Returns the clusters that Explore offers, and their linkage thresholds.
 * @param knownFile Clusters that new rows join, if their levels are the same.
 */
async function clustersOf(
  knownFile: string | undefined,
  order: BuiltIndex['order'],
  options: AgglomerateOptions,
): Promise<{ linkageThresholds: number[]; clusters: ClusterLevel[] }> {
  const { vectors, linkageThresholds } = options;
  const known = knownFile === undefined ? [] : readClusters(knownFile);
  if (known.length === linkageThresholds.length) {
    return { linkageThresholds: [...linkageThresholds], clusters: await assignToClusters(known, options) };
  }
  const history = await agglomerate({ ...options, order: await order?.() });
  const chosen = evenLevels(history.counts);
  return {
    linkageThresholds: chosen.map((nth) => linkageThresholds[nth] as number),
    clusters: history.levels(vectors, chosen),
  };
}
