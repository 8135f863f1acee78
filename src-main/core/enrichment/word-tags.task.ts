import { z } from 'zod';
import { message } from '../../contract/messages.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { EventBus } from '../events.ts';
import type { Inference } from '../ports/inference.ts';
import type { ModelLibrary } from '../ports/model.ts';
import { counted } from '../tasks/amount.ts';
import { defineTask, STOPPED, type TaskDefinition } from '../tasks/define-task.ts';
import type { EnrichmentRepository } from './enrichment.repository.ts';
import { tagByWords } from './tag-by-words.ts';

type NoInput = Record<string, never>;

/** Tags the items of a dataset that are not tagged yet: {@link tagByWords}. */
export function defineWordTagsTask(parts: {
  datasets: DatasetCatalog;
  enrichments: EnrichmentRepository;
  library: ModelLibrary;
  inference: Pick<Inference, 'tagVectors'>;
  events: EventBus;
}): TaskDefinition<NoInput, NoInput> {
  const { datasets, enrichments, events } = parts;
  return defineTask<NoInput, NoInput>({
    type: 'WORD_TAGGING',
    input: z.object({}),
    lane: 'tags',
    exclusive: false,
    isBackground: true,
    recovery: 'resume',
    run: async (task) => {
      const { MULTIMODEL_IMAGE_ENCODING: encoder } = enrichments.modelsOf(task.dataset_id);
      const store = datasets.storeOf(datasets.getRow(task.dataset_id));
      const nTagged = await tagByWords(parts, task, store, encoder, { from: 0, to: 0.99 });
      const items = counted('n_items', nTagged);
      task.commit(nTagged === 0 ? message('task_nothing_to_tag') : message('task_tagged', { items }), () => undefined);
      if (nTagged > 0) events.emit('dataset_changed', { dataset_id: task.dataset_id });
    },
    abort: { reason: STOPPED },
    onFailure: () => undefined,
    retry: { checkpoint: 'keep', begin: () => undefined },
  });
}
