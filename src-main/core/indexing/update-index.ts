import pMap from 'p-map';
import { ENTITY_TYPES, type EntityType } from '../../contract/schemas/explore.ts';
import type { DatasetModelsService } from '../enrichment/dataset-models.service.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';
import type { BuiltSpace, IndexedSpace, IndexMode, IndexRequest } from '../ports/index-jobs.ts';
import type { LocalJobs } from '../ports/local-jobs.ts';
import { EMBEDDING_SPACES, type EmbeddingSpace, type VectorSpace } from '../ports/vector-space.ts';

/**
 * Indexes all saved items and objects, with one job per space of items and of objects, and publishes all results together. See {@link
 * IndexMode}.
 */
export async function updateIndex(
  mode: IndexMode,
  parts: {
    store: DatasetStore;
    localJobs: LocalJobs;
    models: DatasetModelsService;
    signal: AbortSignal;
    onProgress: (fraction: number) => void;
    /** Called when all jobs are prepared. */
    onPrepared?: () => void;
    /** Spaces to index (default all). */
    isIncluded?: (space: EmbeddingSpace, entityType: EntityType) => boolean;
    /** A `meaning` space that the dataset gets when the space's index is published. */
    added?: VectorSpace;
  },
): Promise<void> {
  const { store, localJobs, models, signal, onProgress, isIncluded = () => true, added } = parts;
  const requests: (IndexedSpace & IndexRequest)[] = [];
  const { n_objects } = await store.items.counts();
  for (const entityType of ENTITY_TYPES) {
    if (entityType === 'OBJECTS' && n_objects === 0) continue;
    for (const space of EMBEDDING_SPACES) {
      const made = (await store.vectors.findSpace(space, entityType)) ?? (space === 'meaning' ? added : undefined);
      if (made === undefined || !isIncluded(space, entityType)) continue;
      const { known_thresholds, ...prepared } = await store.vectors.prepareIndex(space, entityType);
      // Later batches are grouped by the thresholds of the first.
      const thresholds =
        (mode === 'full' ? undefined : known_thresholds) ??
        (await models.linkageThresholdsOf(made.encoder_id, prepared.count));
      requests.push({ ...prepared, mode: known_thresholds ? mode : 'full', linkage_thresholds: thresholds });
    }
  }
  parts.onPrepared?.();
  const total = requests.reduce((sum, { count }) => sum + count, 0);
  const fractions = requests.map(() => 0);
  const build = async (request: IndexedSpace & IndexRequest, nth: number): Promise<BuiltSpace> => {
    const { space, entity_type, version, count } = request;
    const summary = await localJobs.buildIndex(request, {
      signal,
      onProgress: (fraction) => {
        fractions[nth] = fraction;
        const done = requests.reduce((sum, one, at) => sum + (fractions[at] ?? 0) * one.count, 0);
        onProgress(done / Math.max(1, total));
      },
    });
    fractions[nth] = 1;
    return { space, entity_type, version, count, built: summary };
  };
  // Small indexes are built side by side, each on one core; large ones take turns. If one fails, the caller waits until the others have ended.
  const settled = (request: IndexedSpace & IndexRequest, nth: number) => Promise.allSettled([build(request, nth)]);
  const built = (await pMap(requests, settled, { concurrency: localJobs.size })).map(([one]) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
  await store.vectors.publishIndex(built);
}
