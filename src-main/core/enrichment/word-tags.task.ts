import { createHash } from 'node:crypto';
import { z } from 'zod';
import { message } from '../../contract/messages.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { EventBus } from '../events.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';
import type { Inference, ModelRef } from '../ports/inference.ts';
import type { ModelLibrary } from '../ports/model.ts';
import { counted } from '../tasks/amount.ts';
import { defineTask, STOPPED, type TaskDefinition, type TaskRun } from '../tasks/define-task.ts';
import type { EnrichmentRepository } from './enrichment.repository.ts';

/** Number of items per page: 1 MB of vectors. */
const ITEMS = 512;

type NoInput = Record<string, never>;
type Run = TaskRun<NoInput, NoInput>;

/**
 * Tags items by the word list of the tagger that belongs to the dataset's encoder: [Note: Word tags]. Images are not read again. Each page is
 * saved together with the progress, so an interrupted run continues with the next page.
 */
export function defineWordTagsTask(parts: {
  datasets: DatasetCatalog;
  enrichments: EnrichmentRepository;
  library: ModelLibrary;
  inference: Pick<Inference, 'tagVectors'>;
  events: EventBus;
}): TaskDefinition<NoInput, NoInput> {
  const { datasets, enrichments, library, inference, events } = parts;

  /** Returns the number of items tagged. */
  const tag = async (task: Run, store: DatasetStore, tagger: ModelRef): Promise<number> => {
    const begun = await store.enrichment.beginWordTags({ model_id: tagger.model_id, version: versionOf(tagger) });
    if (!begun || begun.n_done === begun.n_rows) return 0;
    task.beginStep(message('step_tagging_images'), { from: 0, to: 0.99 }, begun.n_rows);
    let nTagged = 0;
    for (;;) {
      const page = await store.enrichment.listUntagged(ITEMS);
      if (page.media_ids.length === 0) break;
      const labels = await inference.tagVectors(page.vectors, tagger, task.signal);
      const tags = page.media_ids.map((mediaId, at) => ({ media_id: mediaId, labels: labels[at] ?? [] }));
      await store.enrichment.saveWordTags(tagger.model_id, tags, page.next_row);
      nTagged += tags.length;
      task.reportSaved(page.next_row);
    }
    await store.enrichment.endWordTags();
    return nTagged;
  };

  return defineTask<NoInput, NoInput>({
    type: 'WORD_TAGGING',
    input: z.object({}),
    lane: 'background',
    exclusive: false,
    isBackground: true,
    recovery: 'resume',
    run: async (task) => {
      const { MULTIMODEL_IMAGE_ENCODING: encoder, IMAGE_TAGGING: chosen } = enrichments.modelsOf(task.dataset_id);
      const tagger = encoder === undefined ? undefined : library.findTagger(encoder);
      const isNeeded = tagger !== undefined && chosen === undefined;
      const store = datasets.storeOf(datasets.getRow(task.dataset_id));
      const nTagged = isNeeded ? await tag(task, store, (await library.get(tagger.definition.id)).ref) : 0;
      const items = counted('n_items', nTagged);
      task.commit(nTagged === 0 ? message('task_nothing_to_tag') : message('task_tagged', { items }), () => undefined);
      if (nTagged > 0) events.emit('dataset_changed', { dataset_id: task.dataset_id });
    },
    abort: { reason: STOPPED },
    onFailure: () => undefined,
    retry: { checkpoint: 'keep', begin: () => undefined },
  });
}

/** Changes with the tagger's files, its run parameters and its word list. */
function versionOf({ version, labels }: ModelRef): string {
  return createHash('sha256')
    .update(JSON.stringify([version, labels ?? null]))
    .digest('hex');
}
