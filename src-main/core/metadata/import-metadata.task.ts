import { z } from 'zod';
import { message } from '../../contract/messages.ts';
import { EXIF_PROPERTIES } from '../../contract/schemas/custom-metadata.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { ValueFiles, ValueSource } from '../ports/metadata.ts';
import { counted, sentences } from '../tasks/amount.ts';
import { defineTask, STOPPED, type TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';

const format = z.union([
  z.object({ kind: z.literal('json') }),
  z.object({ kind: z.enum(['csv', 'parquet']), column: z.string() }),
]);
const input = z.union([
  /** Name of the uploaded file in the folder of stored uploads. */
  z.object({ file: z.string(), format }),
  z.object({ exif: z.enum(EXIF_PROPERTIES) }),
]);
export type ImportMetadataInput = z.infer<typeof input>;

/**
 * Imports the values of the field whose id is the task's id. Each page is saved together with the number of rows read, so an interrupted
 * run continues with the next page. The file is deleted when the task has finished, whatever its result.
 */
export function defineImportMetadataTask(parts: {
  datasets: DatasetCatalog;
  tasks: TaskService;
  files: ValueFiles;
}): TaskDefinition<ImportMetadataInput, Record<string, never>> {
  const { datasets, tasks, files } = parts;
  const sourceOf = (datasetId: string, of: ImportMetadataInput): ValueSource =>
    'file' in of ? { ...of.format, path: files.path(datasetId, of.file) } : { kind: 'exif', property: of.exif };
  const removeFile = async (datasetId: string, of: ImportMetadataInput) => {
    if ('file' in of) await files.remove(datasetId, of.file);
  };

  return defineTask<ImportMetadataInput, Record<string, never>>({
    type: 'CUSTOM_METADATA',
    input,
    lane: 'values',
    exclusive: false,
    recovery: 'resume',
    run: async (task) => {
      const { task_id, dataset_id, signal } = task;
      const store = datasets.storeOf(datasets.getRow(dataset_id));
      try {
        task.beginStep(message('step_saving_values'), { from: 0, to: 0.99 }, null);
        await store.metadata.beginValues(task_id, sourceOf(dataset_id, task.input));
        for (let finished = false; !finished; ) {
          signal.throwIfAborted();
          const page = await store.metadata.readValues(task_id);
          task.reportSaved(page.n_read, page.n_expected);
          finished = page.finished;
        }
        const field = await store.metadata.findField(task_id);
        const nErrors = field?.error_count ?? 0;
        const saved = message('task_values_saved', {
          values: counted('n_values', field?.inserted_rows ?? 0),
          field: field?.field_name ?? '',
        });
        task.commit(sentences(saved, nErrors > 0 && counted('rows_left_out', nErrors)), () => undefined);
      } finally {
        await store.metadata.endValues(task_id);
        if (tasks.outcomeOf(task_id) !== 'open') await removeFile(dataset_id, task.input);
      }
    },
    undo: ({ dataset_id, input: of }) => removeFile(dataset_id, of),
    // Saved values are not undone: on a full disk the task waits for free space.
    isPastUndo: () => true,
    abort: { reason: STOPPED },
    onFailure: () => undefined,
  });
}
