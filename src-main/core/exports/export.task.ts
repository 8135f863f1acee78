import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { type Message, message, storeMessage } from '../../contract/messages.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { MediaUrls, UrlReader } from '../media/media-urls.ts';
import type { Clock } from '../ports/clock.ts';
import type { DatasetStores } from '../ports/dataset-store.ts';
import type { ExportRequest, Exports, MadeExport } from '../ports/exports.ts';
import type { IssueLimits } from '../ports/issue-limits.ts';
import { counted, sentences } from '../tasks/amount.ts';
import { defineTask, STOPPED, type TaskDefinition } from '../tasks/define-task.ts';
import { readChosen } from './chosen-text.ts';
import type { ExportRepository } from './export.repository.ts';
import { exportOptions } from './export-options.ts';
import { exportRequest, signer } from './export-request.ts';

type NoInput = Record<string, never>;

export interface ExportTaskParts {
  rows: ExportRepository;
  exports: Exports;
  datasets: DatasetCatalog;
  stores: Pick<DatasetStores, 'whileReading' | 'deleteReplaced'>;
  urls: MediaUrls;
  issueLimits: () => IssueLimits;
  clock: Clock;
}

/**
 * Writes the file of an export while its dataset stays usable. An interrupted run starts over with the same rows. It reads the generation
 * from which the rows were chosen, which stays until then even if a restore replaces it.
 */
export function defineExportTask(parts: ExportTaskParts): TaskDefinition<NoInput, NoInput> {
  const { rows, exports, datasets, stores, urls } = parts;
  return defineTask<NoInput, NoInput>({
    type: 'EXPORT',
    input: z.object({}),
    lane: 'export',
    exclusive: false,
    isBackground: true,
    recovery: 'resume',
    run: async (task) => {
      const { request, reader } = requestOf(task.task_id, task.dataset_id, parts);
      task.beginStep(message('step_writing_items'), { from: 0, to: 0.99 }, null);
      const made = await stores.whileReading(request, () =>
        exports.write(task.task_id, request, {
          signal: task.signal,
          urlsOf: signer(urls, reader, task.dataset_id),
          onProgress: (done, total) => task.reportDone(done, total),
        }),
      );
      const outcome = outcomeOf(made);
      task.commit(outcome, () =>
        rows.markMade(task.task_id, {
          entities_count: made.n_items,
          size_bytes: made.size_bytes,
          result_message: storeMessage(outcome),
        }),
      );
    },
    // A restore may have replaced the generation of the export, which stays while the export is open.
    onEnded: async (datasetId) => {
      const dataset = datasets.find(datasetId);
      if (dataset) await stores.deleteReplaced(datasetId, dataset.generation);
    },
    undo: async (task) => {
      await exports.remove(task.task_id);
    },
    abort: { reason: STOPPED },
    onFailure: () => undefined,
    retry: { checkpoint: 'reset', begin: () => undefined },
  });
}

/** @throws AppError `not_found` if the export was deleted. */
function requestOf(
  exportId: string,
  datasetId: string,
  { rows, datasets, issueLimits, clock }: ExportTaskParts,
): { request: ExportRequest; reader: UrlReader } {
  const row = rows.get(exportId);
  if (!row) throw new AppError('not_found', message('export_deleted'));
  const dataset = datasets.getRow(datasetId);
  const {
    base_url,
    reader_id,
    exported_by,
    export_format,
    file_name: _name,
    ...options
  } = exportOptions.parse(JSON.parse(row.options));
  const by = { base_url, exported_by, now: clock.iso() };
  const reader = { baseUrl: base_url, principal: { user_id: reader_id, is_local_owner: reader_id === '' } };
  const chosen = readChosen(row.chosen);
  const how = { ...options, chosen, format: export_format, is_archive: true, limits: issueLimits() };
  return { request: exportRequest({ ...dataset, generation: row.generation }, by, how), reader };
}

function outcomeOf({ n_items, n_missing }: MadeExport): Message {
  const exported = message('task_exported', { items: counted('n_items', n_items) });
  return sentences(exported, n_missing > 0 && counted('files_left_out', n_missing));
}
