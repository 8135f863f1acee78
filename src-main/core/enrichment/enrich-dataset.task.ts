import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { EntityType } from '../../contract/schemas/explore.ts';
import { enrichmentType } from '../../contract/schemas/model-definition.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import { coverImages } from '../indexing/covers.ts';
import type { FollowUpService } from '../indexing/follow-up.service.ts';
import { updateIndex } from '../indexing/update-index.ts';
import type { DatasetStore, DatasetStores } from '../ports/dataset-store.ts';
import { ENRICHMENT_BATCH } from '../ports/enrichment.ts';
import type { LocalFolders } from '../ports/files.ts';
import type { Inference } from '../ports/inference.ts';
import type { LocalJobs } from '../ports/local-jobs.ts';
import type { InstalledModel, ModelLibrary } from '../ports/model.ts';
import type { VectorSpace } from '../ports/vector-space.ts';
import type { SnapshotKeeper } from '../snapshots/snapshot-keeper.ts';
import { counted, sentences } from '../tasks/amount.ts';
import { defineTask, type TaskDefinition, type TaskRun } from '../tasks/define-task.ts';
import type { DatasetModelsService } from './dataset-models.service.ts';
import type { EnrichmentRepository } from './enrichment.repository.ts';
import { calibrateTexts } from './text-calibration.ts';

const input = z.object({
  source_dataset_id: z.string(),
  source_generation: z.int(),
  /** Models to apply. Results of earlier enrichments of the source are already in the copy. */
  models: z.partialRecord(enrichmentType, z.string()),
  /** Models of the source that are replaced by others of the same type. */
  forget_models: z.array(z.string()),
});
export type EnrichDatasetInput = z.infer<typeof input>;

interface Checkpoint {
  copied: boolean;
  applied: boolean;
}

/** Number of items whose originals are checked per step. */
const ORIGINALS = 256;

export interface EnrichParts {
  datasets: DatasetCatalog;
  enrichments: EnrichmentRepository;
  stores: DatasetStores;
  inference: Inference;
  localJobs: LocalJobs;
  library: ModelLibrary;
  models: DatasetModelsService;
  followUps: Pick<FollowUpService, 'queue'>;
  snapshots: Pick<SnapshotKeeper, 'keepFirst' | 'record'>;
  folders: LocalFolders;
}

type Run = TaskRun<EnrichDatasetInput, Checkpoint>;

/**
 * Copies a dataset and applies models to the copy, which the task belongs to. During the task the source is READ ONLY; it is not changed.
 * An interrupted task continues with the first unsaved item.
 */
export function defineEnrichDatasetTask(parts: EnrichParts): TaskDefinition<EnrichDatasetInput, Checkpoint> {
  const { datasets, enrichments, stores, localJobs, library, models, folders } = parts;

  const copy = async (task: Run, encoder: InstalledModel | undefined) => {
    task.beginStep(message('step_copying_the_dataset'), { from: 0, to: 0.03 }, null);
    const { source_dataset_id, source_generation, forget_models } = task.input;
    if (!datasets.find(source_dataset_id)) throw new AppError('conflict', message('source_dataset_deleted'));
    const generation = await stores.copy(
      { dataset_id: source_dataset_id, generation: source_generation },
      task.dataset_id,
      {
        meaning: newMeaning(encoder),
        forget_models,
        forget_caption_vectors: task.input.models.CAPTION_ENCODING !== undefined,
      },
    );
    datasets.setGeneration(task.dataset_id, generation);
    task.saveCheckpoint({ copied: true, applied: false });
  };

  /** Fails before models are applied if no original can be read, because a copy without results is useless. */
  const assertOriginals = async (store: DatasetStore) => {
    let afterRow = -1;
    for (;;) {
      const page = await store.enrichment.listImages('models', afterRow, ORIGINALS);
      const last = page.at(-1);
      if (!last) break;
      for (const { path } of page) if (await folders.isReadable(path)) return;
      afterRow = last.row;
    }
    if (afterRow >= 0) {
      throw new AppError('storage_failed', message('originals_unreadable'));
    }
  };

  const apply = async (task: Run, store: DatasetStore, encoder: InstalledModel | undefined) => {
    if (readsOriginals(task.input.models, encoder)) await assertOriginals(store);
    const { CAPTION_OBJECTS } = task.input.models;
    const objectCaptioner = CAPTION_OBJECTS === undefined ? undefined : (await library.get(CAPTION_OBJECTS)).ref;
    if (encoder?.runner.kind === 'precomputed') {
      task.beginStep(message('step_reading_embeddings'), { from: 0.03, to: 0.05 }, null);
      const { model_id } = encoder.ref;
      await store.enrichment.importVectors(model_id, await library.embeddingsFile(model_id));
    }
    const runEncoder = encoder?.runner.kind === 'image_encoder' ? encoder.ref : undefined;
    await models.run({
      task,
      store,
      models: task.input.models,
      image_encoder: runEncoder,
      object_models: [runEncoder, objectCaptioner].filter((model) => model !== undefined),
      object_captioner: objectCaptioner,
      batch_id: null,
      boxes_of: ENRICHMENT_BATCH,
      share: { from: 0.05, to: 0.93 },
    });
    await store.intake.settle();
    task.saveCheckpoint({ copied: true, applied: true });
  };

  const index = async (task: Run, store: DatasetStore, encoder: InstalledModel | undefined) => {
    const { OBJECT_DETECTION } = task.input.models;
    const meaning = newMeaning(encoder);
    task.beginStep(message('step_grouping_similar_images'), { from: 0.93, to: 0.98 }, 100, 'percent');
    await updateIndex('full', {
      store,
      localJobs,
      models,
      isIncluded: (space, entityType) =>
        (space === 'meaning' && meaning[entityType] !== undefined) ||
        (entityType === 'OBJECTS' && OBJECT_DETECTION !== undefined),
      signal: task.signal,
      onProgress: (fraction) => task.reportDone(Math.round(fraction * 100)),
    });
  };

  /** If the encoder is unchanged, the noise is measured only for entity types that the source lacks. */
  const saveNoise = async (task: Run, store: DatasetStore) => {
    const { encoder_id = '' } = (await store.vectors.findSpace('meaning', 'IMAGES')) ?? {};
    task.beginStep(message('step_calibrating_text_search'), { from: 0.98, to: 0.99 }, null);
    const known = enrichments.noiseOf(task.dataset_id);
    const noise = await calibrateTexts(parts, store, encoder_id, known, task.signal);
    enrichments.saveNoise(task.dataset_id, noise);
  };

  return defineTask({
    type: 'ENRICHMENT',
    input,
    lane: 'enrich',
    exclusive: true,
    reads: ({ source_dataset_id }) => [source_dataset_id],
    recovery: 'resume',
    run: async (task) => {
      const { MULTIMODEL_IMAGE_ENCODING } = task.input.models;
      const encoder = MULTIMODEL_IMAGE_ENCODING ? await library.get(MULTIMODEL_IMAGE_ENCODING) : undefined;
      if (task.checkpoint.copied !== true) await copy(task, encoder);
      const generation = datasets.getRow(task.dataset_id).generation;
      await stores.deleteReplaced(task.dataset_id, generation);
      const store = stores.open(task.dataset_id, generation);
      if (task.checkpoint.applied !== true) await apply(task, store, encoder);
      await index(task, store, encoder);
      await saveNoise(task, store);
      const counts = await store.items.counts();
      const cover = await coverImages(store);
      const nFailed = await store.enrichment.countFailures();
      const snapshot = await parts.snapshots.keepFirst(task.dataset_id, { counts, cover });
      const enriched = message('task_enriched', { items: counted('n_items', counts.n_images + counts.n_frames) });
      task.commit(sentences(enriched, nFailed > 0 && counted('results_missing', nFailed)), () => {
        datasets.saveCounts(task.dataset_id, counts, cover);
        parts.snapshots.record(snapshot);
        parts.followUps.queue(task.dataset_id);
        datasets.apply(task.dataset_id, 'indexed');
        datasets.applyIfAllowed(task.input.source_dataset_id, 'enriched');
      });
    },
    onFailure: (datasetId, reason) => {
      datasets.apply(datasetId, 'fail', reason);
      datasets.releaseEnriched();
    },
    retry: {
      checkpoint: 'keep',
      begin: (datasetId, { source_dataset_id }) => {
        const source = datasets.find(source_dataset_id);
        if (source && source.status_new !== 'READY') {
          throw new AppError('conflict', message('enrichment_needs_ready_source', { status: source.status_new }));
        }
        datasets.apply(source_dataset_id, 'enrich');
        datasets.apply(datasetId, 'retry');
      },
    },
  });
}

/** Whether any of the models reads originals. Some need only captions or imported vectors. */
function readsOriginals(
  { CAPTION_ENCODING: _texts, ...models }: EnrichDatasetInput['models'],
  encoder: InstalledModel | undefined,
): boolean {
  const { MULTIMODEL_IMAGE_ENCODING: _encoder, ...others } = models;
  return Object.keys(encoder?.runner.kind === 'precomputed' ? others : models).length > 0;
}

/** Imported vectors exist only for whole items, so objects keep their space. */
function newMeaning(encoder: InstalledModel | undefined): Partial<Record<EntityType, VectorSpace>> {
  if (encoder?.runner.kind === 'precomputed') {
    return { IMAGES: { encoder_id: encoder.ref.model_id, dim: encoder.runner.dim } };
  }
  if (encoder?.runner.kind !== 'image_encoder') return {};
  const made = { encoder_id: encoder.ref.model_id, dim: encoder.runner.dim };
  return { IMAGES: made, OBJECTS: made };
}
