import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { safeFileName } from '../../contract/file-name.ts';
import { formatMessage, type Message, message, readMessage, storeMessage } from '../../contract/messages.ts';
import type { FileSlice } from '../../contract/operations/media.ts';
import {
  type ExportFormat,
  type ExportStatus,
  type ExportTask,
  FORMATS_WITHOUT_IMAGES,
} from '../../contract/schemas/export.ts';
import type { MediaSelection } from '../../contract/schemas/media-selection.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { AuditService } from '../accounts/audit.service.ts';
import type { CallContext } from '../core.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { ExploreQuery, QueryPlanner } from '../explore/query-planner.ts';
import type { SelectionService } from '../explore/selection.service.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { AddressAccess } from '../media/address-access.ts';
import { type MediaUrls, readerIdOf, type SignedAddress } from '../media/media-urls.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { DatasetStores, StoreReads } from '../ports/dataset-store.ts';
import type { ChosenItems, Exports } from '../ports/exports.ts';
import { STOPPED, type TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';
import { printChosen } from './chosen-text.ts';
import type { ExportListRow, ExportRepository, ExportRow } from './export.repository.ts';
import type { ExportKeeper } from './export-keeper.ts';
import { type ExportLimits, type ExportOptions, exportOptions, parseSplit, tooLarge } from './export-options.ts';

interface Parts {
  catalog: Catalog;
  audit: AuditService;
  rows: ExportRepository;
  keeper: ExportKeeper;
  exports: Exports;
  datasets: DatasetCatalog;
  stores: Pick<DatasetStores, 'whileReading'>;
  planner: QueryPlanner;
  selections: SelectionService;
  tasks: TaskService;
  task: TaskDefinition<Record<string, never>, Record<string, never>>;
  urls: MediaUrls;
  addresses: AddressAccess;
  limits: () => ExportLimits;
  clock: Clock;
  ids: Ids;
}

/** Options of an export request. */
interface OptionsInput {
  export_format: ExportFormat;
  include_images: boolean;
  file_name?: string | undefined;
  threshold: number;
  split?: string | undefined;
  seed: number;
}

type DatasetInput = OptionsInput &
  Omit<ExploreQuery, 'within_cut_off'> & {
    cluster_id?: string | undefined;
    offset: number;
    limit?: number | undefined;
  };

/** The field of a restore task's input that is needed here. */
const restoreInput = z.object({ status_before: z.string() });

/** Status of an export by the status of its task. */
const STATUS = {
  INITIALIZING: 'INIT',
  RUNNING: 'IN_PROGRESS',
  COMPLETED: 'COMPLETED',
  FAILED: 'FAILED',
  ABORTED: 'FAILED',
} as const satisfies Record<string, ExportStatus>;

/** Exports (interface 4.6): every result of Explore can be exported. */
export class ExportService {
  readonly #parts: Parts;

  /** The operations that this service handles. */
  readonly handlers = {
    export_dataset_async: (context, input) => this.exportDataset(context, input),
    export_entities_async: (context, input) => this.exportEntities(context, input),
    get_export_status: (context, input) => this.getStatus(context, input),
    list_exports: (context) => this.list(context),
    get_export_file: (context, input) => this.download(context, input),
  } satisfies SomeHandlers;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Runs work that reads a dataset for an export, which needs READY (interface 7). While a snapshot is restored the state before it is
   * exported, if it could be before (interface 3), even if the restore finishes first.
   * @throws AppError `conflict`.
   */
  async whileReading<T>({ dataset }: DatasetContext, work: (store: StoreReads) => Promise<T>): Promise<T> {
    if (dataset.status_new !== 'READY' && !this.#wasReadyBeforeRestore(dataset)) {
      throw new AppError('conflict', message('export_needs_ready', { status: dataset.status_new }));
    }
    const { datasets, stores } = this.#parts;
    return stores.whileReading(dataset, () => work(datasets.browsable(dataset)));
  }

  #wasReadyBeforeRestore({ dataset_id }: DatasetContext['dataset']): boolean {
    const input = this.#parts.tasks.findOpenInput('SNAPSHOT_RESTORE', dataset_id);
    return input !== undefined && restoreInput.parse(input).status_before === 'READY';
  }

  /** Exports the matching items, or one page of them. @throws AppError `conflict` unless the dataset is READY. */
  async exportDataset(context: DatasetContext, input: DatasetInput): Promise<ExportTask> {
    return this.whileReading(context, async (store) => {
      const options = optionsFrom(context, input);
      const { plan } = await this.#parts.planner.plan(context, store, input);
      const { cluster_id, offset, limit } = input;
      return this.#start(context, options, await store.explore.choosePage({ plan, cluster_id }, { offset, limit }));
    });
  }

  async exportEntities(
    context: DatasetContext,
    input: OptionsInput & { media_selection: MediaSelection },
  ): Promise<ExportTask> {
    return this.whileReading(context, async (store) => {
      const options = optionsFrom(context, input);
      const parts = await this.#parts.selections.plan(context, store, input.media_selection);
      return this.#start(context, options, await store.explore.chooseItems(parts));
    });
  }

  getStatus(context: DatasetContext, { export_task_id }: { export_task_id: string }): ExportTask {
    const row = this.#parts.rows.find(export_task_id);
    if (row?.dataset_id !== context.dataset.dataset_id || this.#parts.keeper.isExpired(row.created_at)) {
      throw new AppError('not_found', message('export_not_found'));
    }
    return this.#present(context, row);
  }

  list(context: DatasetContext): { exports: ExportTask[] } {
    const { rows, keeper } = this.#parts;
    const listed = rows.list(context.dataset.dataset_id).filter(({ created_at }) => !keeper.isExpired(created_at));
    return { exports: listed.map((row) => this.#present(context, row)) };
  }

  /** Serves the file behind a signed URL; the signature is the permission. */
  download(_context: CallContext, input: SignedAddress): FileSlice {
    const { rows, addresses, exports } = this.#parts;
    const { dataset_id } = addresses.open('export', input);
    const row = rows.find(input.media_id);
    if (row?.dataset_id !== dataset_id || row.size_bytes === null) {
      throw new AppError('not_found', message('export_file_not_found'));
    }
    return {
      path: exports.pathOf(row.export_id),
      offset: 0,
      length: row.size_bytes,
      crc32: null,
      content_type: 'application/zip',
      etag: `"${row.export_id}"`,
      file_name: optionsOf(row).file_name,
      is_attachment: true,
    };
  }

  /** Queues an export of the chosen rows, or records that it is too large. */
  async #start(context: DatasetContext, options: ExportOptions, chosen: ChosenItems): Promise<ExportTask> {
    const { catalog, audit, rows, keeper, tasks, task, clock, ids } = this.#parts;
    const { dataset, principal } = context;
    const rejection = this.#rejection(options, chosen);
    const row: Omit<ExportRow, 'export_id'> = {
      dataset_id: dataset.dataset_id,
      created_at: clock.iso(),
      is_rejected: rejection === undefined ? 0 : 1,
      options: JSON.stringify(options),
      chosen: rejection === undefined ? printChosen(chosen) : '',
      generation: dataset.generation,
      entities_count: chosen.n_items,
      result_message: rejection ? storeMessage(rejection) : '',
      size_bytes: null,
    };
    const exportId = catalog.transaction(() => {
      const id = rejection === undefined ? tasks.start(task, dataset.dataset_id, {}, principal) : ids.uuid();
      rows.insert({ ...row, export_id: id });
      const { export_format, include_images } = options;
      const details = { dataset_id: dataset.dataset_id, export_format, include_images, n_items: chosen.n_items };
      if (rejection === undefined) audit.note(context, 'export_begun', dataset.display_name, details);
      return id;
    });
    await keeper.deleteOld();
    const answer = this.getStatus(context, { export_task_id: exportId });
    tasks.wake();
    return answer;
  }

  #rejection({ include_images }: ExportOptions, { n_items }: ChosenItems): Message | undefined {
    const { items, images } = this.#parts.limits();
    if (n_items > items) return tooLarge('items', n_items, items);
    return include_images && n_items > images ? tooLarge('images', n_items, images) : undefined;
  }

  #present(context: DatasetContext, row: ExportListRow): ExportTask {
    const { urls, keeper } = this.#parts;
    const { export_id, dataset_id, task_status, size_bytes } = row;
    const { export_format, include_images, file_name } = optionsOf(row);
    const status = row.is_rejected ? 'REJECTED' : STATUS[task_status ?? 'FAILED'];
    const isStopped = task_status === 'ABORTED';
    const failure = isStopped ? STOPPED : row.error_message === null ? undefined : readMessage(row.error_message);
    const result = row.result_message === '' ? failure : readMessage(row.result_message);
    return {
      id: export_id,
      dataset_id,
      created_at: row.created_at,
      download_uri: status === 'COMPLETED' ? urls.signer(context, dataset_id)('export', export_id) : null,
      progress: row.progress_percentage ?? 0,
      status,
      entities_count: row.entities_count,
      result_message: result ? formatMessage(result) : '',
      export_format,
      include_images,
      file_name,
      size_bytes,
      is_stopped: isStopped,
      expires_at: keeper.expiresAt(row.created_at),
    };
  }
}

/** @throws AppError `invalid_request` for an invalid split. */
function optionsFrom({ dataset, baseUrl, principal }: DatasetContext, input: OptionsInput): ExportOptions {
  const { export_format, include_images, threshold, split, seed } = input;
  const stem = (input.file_name ?? dataset.display_name).replace(/\.zip$/i, '');
  return {
    export_format,
    // The format `image_folder` contains only images; `file_list` and `manifest` contain none.
    include_images:
      !FORMATS_WITHOUT_IMAGES.includes(export_format) && (include_images || export_format === 'image_folder'),
    file_name: `${safeFileName(stem) || 'export'}.zip`,
    level: threshold,
    split: parseSplit(split, seed, export_format),
    base_url: baseUrl,
    reader_id: readerIdOf(principal),
    exported_by: principal.email,
  };
}

function optionsOf({ options }: Pick<ExportRow, 'options'>): ExportOptions {
  return exportOptions.parse(JSON.parse(options));
}
