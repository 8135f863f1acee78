import { z } from 'zod';
import { message } from '../../contract/messages.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import { coverImages } from '../indexing/covers.ts';
import type { FollowUpService } from '../indexing/follow-up.service.ts';
import { updateIndex } from '../indexing/update-index.ts';
import type { DatasetStores } from '../ports/dataset-store.ts';
import type { Inference } from '../ports/inference.ts';
import type { LocalJobs } from '../ports/local-jobs.ts';
import type { ModelLibrary } from '../ports/model.ts';
import { counted } from '../tasks/amount.ts';
import { defineTask, STOPPED, type TaskDefinition } from '../tasks/define-task.ts';
import type { DatasetModelsService } from './dataset-models.service.ts';
import type { EnrichmentRepository } from './enrichment.repository.ts';
import { calibrateTexts } from './text-calibration.ts';

const input = z.object({
  encoder: z.string(),
  /** Status that the dataset returns to. */
  status_before: z.enum(['READY', 'PARTIAL INDEX']),
});
export type AddMeaningInput = z.infer<typeof input>;

/**
 * Adds a `meaning` space to a dataset in place. During the task the dataset is READ ONLY and uses its `looks` space. The new vectors, their
 * index and clusters become visible together at the end. An interrupted run continues with the first unsaved item; a failed run removes
 * everything it added.
 */
export function defineAddMeaningTask(parts: {
  datasets: DatasetCatalog;
  enrichments: EnrichmentRepository;
  followUps: Pick<FollowUpService, 'queue'>;
  stores: DatasetStores;
  inference: Inference;
  localJobs: LocalJobs;
  library: ModelLibrary;
  models: DatasetModelsService;
}): TaskDefinition<AddMeaningInput, Record<string, never>> {
  const { datasets, enrichments, localJobs, library, models } = parts;
  const backTo = { READY: 'back_to_ready', 'PARTIAL INDEX': 'back_to_partial' } as const;
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
      await store.enrichment.beginMeaning(made);
      await models.addMeaning({ task, store, share: { from: 0, to: 0.9 } }, encoder.ref);
      const noise = await calibrateTexts(parts, store, made.encoder_id, {}, task.signal);
      task.beginStep(message('step_grouping_similar_images'), { from: 0.9, to: 0.99 }, 100, 'percent');
      await updateIndex('full', {
        store,
        localJobs,
        models,
        isIncluded: (space) => space === 'meaning',
        added: made,
        signal: task.signal,
        onProgress: (fraction) => task.reportDone(Math.round(fraction * 100)),
      });
      const counts = await store.items.counts();
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
    onFailure: (datasetId, _reason, { status_before }) => datasets.apply(datasetId, backTo[status_before]),
    retry: { checkpoint: 'reset', begin: (datasetId) => datasets.apply(datasetId, 'add_meaning') },
  });
}
