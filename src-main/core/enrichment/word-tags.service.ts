import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { ModelLibrary } from '../ports/model.ts';
import type { TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { EnrichmentRepository } from './enrichment.repository.ts';

interface Parts {
  catalog: Catalog;
  datasets: DatasetCatalog;
  enrichments: EnrichmentRepository;
  library: ModelLibrary;
  tasks: TaskService;
  task: TaskDefinition<Record<string, never>, Record<string, never>>;
}

/**
 * [Note: Word tags]
 * An encoder of images and texts comes with a tagger that compares images with a list of words. A dataset with such an encoder gets the
 * tagger's labels from the stored vectors, in the background after indexing, and again when the list changes. Datasets whose annotation
 * files label images are not tagged, because exports and label issues would mix both; neither are those enriched with another tagger.
 */
export class WordTagsService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Queues the tagging of new items of a dataset, unless it is already queued. Joins the caller's transaction. */
  queue(datasetId: string): void {
    const { datasets, enrichments, library, tasks, task } = this.#parts;
    const { MULTIMODEL_IMAGE_ENCODING: encoder, IMAGE_TAGGING: chosen } = enrichments.modelsOf(datasetId);
    if (encoder === undefined || chosen !== undefined || library.findTagger(encoder) === undefined) return;
    if (tasks.findWaiting(task.type, datasetId) !== undefined) return;
    tasks.start(task, datasetId, {}, datasets.getRow(datasetId).owner_email);
  }

  /** Tags the datasets again that are tagged by a list of words that has changed. */
  listChanged(taggerId: string): void {
    const { catalog, enrichments, library, tasks } = this.#parts;
    catalog.transaction(() => {
      for (const { dataset_id, encoder_id } of enrichments.listEncoded()) {
        if (library.findTagger(encoder_id)?.definition.id === taggerId) this.queue(dataset_id);
      }
    });
    tasks.wake();
  }
}
