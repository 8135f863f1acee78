import { ENTITY_TYPES, type EntityType } from '../../contract/schemas/explore.ts';
import type { DatasetModelsService } from '../enrichment/dataset-models.service.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';
import type { IndexEntry } from '../ports/index-files.ts';
import type { IndexRequest, LocalJobs } from '../ports/local-jobs.ts';
import { EMBEDDING_SPACES, type EmbeddingSpace, type VectorSpace } from '../ports/vector-space.ts';

/**
 * Builds the neighbour graph and clusters of all saved items (`full`), joins new ones to what there is (`extend`), or clusters the stored
 * graph again (`recluster`), and switches reads to the result. Objects are indexed as items are, each space and type by itself; all appear at once.
 */
export async function updateIndex(
  mode: IndexRequest['mode'],
  parts: {
    store: DatasetStore;
    localJobs: LocalJobs;
    models: DatasetModelsService;
    signal: AbortSignal;
    onProgress: (fraction: number) => void;
    /** Called when all that the index is made of is at hand. */
    onPrepared?: () => void;
    /** All when left out. */
    isWanted?: (space: EmbeddingSpace, entityType: EntityType) => boolean;
    /** A space of meaning that becomes the dataset's with its index. */
    added?: VectorSpace;
  },
): Promise<void> {
  const { store, localJobs, models, signal, onProgress, isWanted = () => true, added } = parts;
  const jobs: IndexEntry[] = [];
  const { n_objects } = await store.items.counts();
  for (const entityType of ENTITY_TYPES) {
    if (entityType === 'OBJECTS' && n_objects === 0) continue;
    for (const space of EMBEDDING_SPACES) {
      const made = (await store.vectors.findSpace(space, entityType)) ?? (space === 'meaning' ? added : undefined);
      if (made === undefined || !isWanted(space, entityType)) continue;
      const files = await store.vectors.prepareIndex(space, entityType);
      // Later batches are grouped as finely as the first was.
      const linkageThresholds =
        (mode === 'full' ? undefined : files.published?.linkage_thresholds) ??
        (await models.linkageThresholdsOf(made.encoder_id, files.count));
      jobs.push({ space, entity_type: entityType, files, linkage_thresholds: linkageThresholds });
    }
  }
  parts.onPrepared?.();
  const total = jobs.reduce((sum, { files }) => sum + files.count, 0);
  let done = 0;
  for (const job of jobs) {
    const { files } = job;
    const before = files.published;
    const request: IndexRequest = {
      mode: before ? mode : 'full',
      vectors_folder: files.vectors_folder,
      dim: files.dim,
      count: files.count,
      dead_rows: files.dead_rows,
      ...(before ? { graph_in: before.graph_file, clusters_in: before.clusters_file } : {}),
      ...(before?.lists_file === undefined ? {} : { lists_in: before.lists_file }),
      graph_out: files.graph_file,
      clusters_out: files.clusters_file,
      uniqueness_out: files.uniqueness_file,
      lists_out: files.lists_file,
      linkage_thresholds: [...job.linkage_thresholds],
    };
    const doneBefore = done;
    const summary = await localJobs.buildIndex(request, {
      signal,
      onProgress: (fraction) => onProgress((doneBefore + fraction * files.count) / Math.max(1, total)),
    });
    job.linkage_thresholds = summary.linkage_thresholds;
    done += files.count;
  }
  await store.vectors.publishIndex(jobs);
}
