import { z } from 'zod';
import { message } from '../../contract/messages.ts';
import type { EntityType } from '../../contract/schemas/explore.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { EventBus } from '../events.ts';
import { coverImages } from '../indexing/covers.ts';
import type { FollowUpService } from '../indexing/follow-up.service.ts';
import { updateIndex } from '../indexing/update-index.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { DatasetStore, DatasetStores } from '../ports/dataset-store.ts';
import type { Inference } from '../ports/inference.ts';
import type { LocalJobs } from '../ports/local-jobs.ts';
import type { InstalledModel, ModelLibrary } from '../ports/model.ts';
import type { VectorSpace } from '../ports/vector-space.ts';
import { counted } from '../tasks/amount.ts';
import { defineTask, STOPPED, type TaskDefinition, type TaskRun } from '../tasks/define-task.ts';
import type { DatasetModelsService } from './dataset-models.service.ts';
import type { EnrichmentRepository } from './enrichment.repository.ts';
import { tagByWords } from './tag-by-words.ts';
import { calibrateTexts } from './text-calibration.ts';

const input = z.object({
  encoder: z.string(),
  /** Status that the dataset returns to. */
  status_before: z.enum(['READY', 'PARTIAL INDEX']),
});
export type AddMeaningInput = z.infer<typeof input>;
type Run = TaskRun<AddMeaningInput, Record<string, never>>;
type Share = { from: number; to: number };

/** Share of the task that ends when images have clusters and names; the whole task if there are no objects. */
const IMAGES_SHARE = 0.6;

/**
 * Adds a `meaning` space to a dataset in place. During the task the dataset is READ ONLY. Images come first: their new vectors, index,
 * clusters and tags are visible while objects, of which there may be many, are still encoded. An interrupted run continues with the first
 * unsaved item; a failed run removes everything it added.
 */
export function defineAddMeaningTask(parts: {
  catalog: Catalog;
  datasets: DatasetCatalog;
  enrichments: EnrichmentRepository;
  followUps: Pick<FollowUpService, 'queue'>;
  stores: DatasetStores;
  inference: Inference;
  localJobs: LocalJobs;
  library: ModelLibrary;
  models: DatasetModelsService;
  events: EventBus;
}): TaskDefinition<AddMeaningInput, Record<string, never>> {
  const { catalog, datasets, enrichments, localJobs, library, models, events } = parts;
  const backTo = { READY: 'back_to_ready', 'PARTIAL INDEX': 'back_to_partial' } as const;

  const encode = async (
    task: Run,
    store: DatasetStore,
    [encoder, added]: readonly [InstalledModel, VectorSpace],
    entityType: EntityType,
    { from, to }: Share,
  ) => {
    const at = (part: number) => from + (to - from) * part;
    await models.addMeaning({ task, store, share: { from, to: at(0.9) } }, encoder.ref, entityType);
    task.beginStep(message('step_grouping_similar_images'), { from: at(0.9), to }, 100, 'percent');
    await updateIndex('full', {
      store,
      localJobs,
      models,
      isIncluded: (space, of) => space === 'meaning' && of === entityType,
      added,
      signal: task.signal,
      onProgress: (fraction) => task.reportDone(Math.round(fraction * 100)),
    });
    events.emit('dataset_changed', { dataset_id: task.dataset_id });
  };

  return defineTask({
    type: 'MEANING_ADDITION',
    input,
    lane: 'enrich',
    exclusive: true,
    recovery: 'resume',
    run: async (task) => {
      const encoder = await library.get(task.input.encoder);
      if (encoder.runner.kind !== 'image_encoder') throw new Error(`${task.input.encoder} is no encoder of images`);
      const made = { encoder_id: encoder.ref.model_id, dim: encoder.runner.dim };
      const store = datasets.storeOf(datasets.getRow(task.dataset_id));
      const counts = await store.items.counts();
      const half = counts.n_objects === 0 ? 0.98 : IMAGES_SHARE;
      await store.enrichment.beginMeaning(made);
      if ((await store.vectors.findSpace('meaning', 'IMAGES')) === undefined) {
        await encode(task, store, [encoder, made], 'IMAGES', { from: 0, to: half - 0.05 });
      }
      const nTagged = await tagByWords(parts, task, store, made.encoder_id, { from: half - 0.05, to: half });
      if (nTagged > 0) events.emit('dataset_changed', { dataset_id: task.dataset_id });
      const ofImages = await calibrateTexts(parts, store, made.encoder_id, {}, task.signal, ['IMAGES']);
      catalog.transaction(() => enrichments.setEncoder(task.dataset_id, made.encoder_id, ofImages));
      if (counts.n_objects > 0) await encode(task, store, [encoder, made], 'OBJECTS', { from: half, to: 0.98 });
      await store.enrichment.endMeaning();
      const noise = await calibrateTexts(parts, store, made.encoder_id, ofImages, task.signal);
      const cover = await coverImages(store);
      const items = counted('n_items', counts.n_images + counts.n_frames);
      task.commit(message('task_meaning_added', { items }), () => {
        enrichments.setEncoder(task.dataset_id, made.encoder_id, noise);
        datasets.saveCounts(task.dataset_id, counts, cover);
        parts.followUps.queue(task.dataset_id);
        datasets.apply(task.dataset_id, backTo[task.input.status_before]);
      });
    },
    undo: (task) => datasets.storeOf(datasets.getRow(task.dataset_id)).enrichment.dropMeaning(),
    abort: { reason: STOPPED },
    onFailure: (datasetId, _reason, { status_before }) => {
      enrichments.removeEncoder(datasetId);
      datasets.apply(datasetId, backTo[status_before]);
    },
    retry: { checkpoint: 'reset', begin: (datasetId) => datasets.apply(datasetId, 'add_meaning') },
  });
}
