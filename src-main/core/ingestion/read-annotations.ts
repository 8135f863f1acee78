import { message } from '../../contract/messages.ts';
import type { DatasetModelsService } from '../enrichment/dataset-models.service.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';
import type { TaskRun } from '../tasks/define-task.ts';

interface Parts {
  task: Pick<TaskRun<unknown, unknown>, 'dataset_id' | 'beginStep' | 'reportDone' | 'reportSaved' | 'signal'>;
  store: DatasetStore;
  batchId: string;
  /** Whether the names of the folders of the batch's images are labels. */
  hasFolderLabels?: boolean;
  models: DatasetModelsService;
}

/**
 * Imports the annotation files of a batch, for its media and for existing ones. Labels and captions are saved directly; each box becomes an
 * object with a thumbnail and a vector. An interrupted run reads the files again and continues with the next pending box.
 */
export async function readBatchAnnotations(parts: Parts): Promise<void> {
  const { task, store, batchId, models, hasFolderLabels = false } = parts;
  if ((await store.annotations.begin(batchId, hasFolderLabels)) > 0) {
    task.beginStep(message('step_reading_annotations'), { from: 0.9, to: 0.9 }, null);
    let done = 0;
    for (let finished = false; !finished; ) {
      task.signal.throwIfAborted();
      const page = await store.annotations.readNext(batchId);
      finished = page.finished;
      done += page.n_rows;
      task.reportDone(done);
    }
  }
  await models.describeBoxes(task, store, batchId, { from: 0.9, to: 0.92 });
}
