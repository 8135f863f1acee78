import type { Output } from '../../contract/contract.ts';
import { AppError } from '../../contract/errors.ts';
import type { UploadedFile } from '../../contract/fields.ts';
import { formatMessage, message } from '../../contract/messages.ts';
import type {
  ExifProperty,
  FieldType,
  MetadataField,
  MetadataStatus,
  MetadataValue,
} from '../../contract/schemas/custom-metadata.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { EventBus } from '../events.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Ids } from '../ports/clock.ts';
import type { FieldRow, RowError, ValueFiles, ValueFormat } from '../ports/metadata.ts';
import type { TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { ImportMetadataInput } from './import-metadata.task.ts';

/** Field name of each EXIF property. */
const EXIF_FIELDS = {
  camera: { field_name: 'Camera', field_type: 'string' },
  lens: { field_name: 'Lens', field_type: 'string' },
  taken_at: { field_name: 'Taken at', field_type: 'datetime' },
  latitude: { field_name: 'Latitude', field_type: 'float' },
  longitude: { field_name: 'Longitude', field_type: 'float' },
} as const satisfies Record<ExifProperty, { field_name: string; field_type: FieldType }>;

interface Parts {
  catalog: Catalog;
  datasets: DatasetCatalog;
  tasks: TaskService;
  task: TaskDefinition<ImportMetadataInput, Record<string, never>>;
  files: ValueFiles;
  events: EventBus;
  ids: Ids;
}

interface NewDeclaration {
  field_name: string;
  field_type: FieldType;
  enum_options?: string[] | null | undefined;
  is_multi?: boolean | null | undefined;
}

/**
 * Custom metadata (4.12): fields that users declare. A task with the field's id fills each field once. Values are stored in the dataset's
 * own store, and so in its copies and snapshots.
 */
export class MetadataService {
  readonly #parts: Parts;

  /** The operations that this service handles. */
  readonly handlers = {
    declare_custom_metadata: (context, input) => this.declare(context, input),
    upload_custom_metadata: (context, input) => this.upload(context, input),
    add_exif_metadata: (context, input) => this.addExif(context, input),
    get_custom_metadata_status: (context, input) => this.getStatus(context, input),
    get_custom_metadata_schema: (context) => this.getSchema(context),
    get_image_custom_metadata: (context, input) => this.listValues(context, input),
  } satisfies SomeHandlers;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws AppError `conflict` if a field has the name, and unless the dataset is READY. */
  async declare(context: DatasetContext, input: NewDeclaration): Promise<Output<'declare_custom_metadata'>> {
    const { ids } = this.#parts;
    const { field_name, field_type } = input;
    const isEnum = field_type === 'enum';
    const taskId = ids.uuid();
    await this.#editable(context).addFields([
      {
        field_id: taskId,
        field_name,
        field_type,
        enum_options: isEnum ? (input.enum_options ?? []) : [],
        is_multi: isEnum && input.is_multi === true,
      },
    ]);
    this.#changed(context);
    return { task_id: taskId, status: 'INIT' };
  }

  /** @throws AppError `conflict` if values of the field were uploaded before, and unless the dataset is READY. */
  async upload(
    context: DatasetContext,
    input: { task_id: string; file: UploadedFile; column: string },
  ): Promise<MetadataStatus> {
    const { catalog, tasks, task, files } = this.#parts;
    const { dataset_id } = context.dataset;
    const field = await this.#field(context, input.task_id);
    this.#editable(context);
    this.#assertEmpty(field);
    const format = formatOf(input);
    const file = await files.keep(dataset_id, input.file, format);
    try {
      catalog.transaction(() => {
        tasks.assertNotBlocked('import_metadata', dataset_id);
        this.#assertEmpty(field);
        tasks.start(task, dataset_id, { file, format }, context.principal, field.field_id);
      });
    } catch (error) {
      await files.remove(dataset_id, file);
      throw error;
    }
    tasks.wake();
    return this.#present(field);
  }

  /**
   * Adds a field for each EXIF property that at least one file has, and starts the task that fills it.
   * @throws AppError `conflict` if a field has one of the names, and unless the dataset is READY.
   */
  async addExif(context: DatasetContext, { properties }: { properties: ExifProperty[] }): Promise<MetadataField[]> {
    const { catalog, tasks, task, ids } = this.#parts;
    const { dataset_id } = context.dataset;
    this.#editable(context);
    const written = await this.#parts.datasets.storeOf(context.dataset).metadata.listExifProperties();
    const requested = written.filter((property) => properties.includes(property));
    if (requested.length === 0) return [];
    tasks.assertRoom(context.principal, requested.length);
    const fields = requested.map((exif) => ({ exif, field_id: ids.uuid(), ...EXIF_FIELDS[exif] }));
    const declareAndFill = async () => {
      await this.#editable(context).addFields(
        fields.map(({ exif: _exif, ...field }) => ({ ...field, enum_options: [], is_multi: false })),
      );
      catalog.transaction(() => {
        for (const { exif, field_id } of fields) {
          tasks.start(task, dataset_id, { exif }, context.principal, field_id);
        }
      });
    };
    try {
      await tasks.holding('import_metadata', dataset_id, { task_type: task.type, mode: 'shared' }, declareAndFill);
    } finally {
      this.#changed(context);
    }
    tasks.wake();
    const declared = new Set(fields.map(({ field_id }) => field_id));
    return (await this.getSchema(context)).filter(({ task_id }) => declared.has(task_id));
  }

  async getStatus(context: DatasetContext, { task_id }: { task_id: string }): Promise<MetadataStatus> {
    return this.#present(await this.#field(context, task_id));
  }

  async getSchema({ dataset }: DatasetContext): Promise<MetadataField[]> {
    const fields = await this.#parts.datasets.storeOf(dataset).metadata.listFields();
    return fields.map((field) => {
      const { field_name, field_type, enum_options, is_multi, created_at } = field;
      return { ...this.#present(field), field_name, field_type, enum_options, is_multi, created_at };
    });
  }

  async listValues({ dataset }: DatasetContext, { image_id }: { image_id: string }): Promise<MetadataValue[]> {
    const store = this.#parts.datasets.storeOf(dataset);
    if (!(await store.items.find(image_id))) throw new AppError('not_found', message('image_not_found'));
    return (await store.metadata.listValues([image_id])).get(image_id) ?? [];
  }

  /** Deletes uploaded files that no task needs, which a crash may leave behind. */
  async sweep(): Promise<void> {
    const { tasks, files } = this.#parts;
    const open = tasks.listOpenInputs('CUSTOM_METADATA') as ImportMetadataInput[];
    await files.sweep(new Set(open.flatMap((input) => ('file' in input ? input.file : []))));
  }

  async #field({ dataset }: DatasetContext, taskId: string): Promise<FieldRow> {
    const field = await this.#parts.datasets.storeOf(dataset).metadata.findField(taskId);
    if (!field) throw new AppError('not_found', message('task_not_found'));
    return field;
  }

  /** @throws AppError `conflict` unless the dataset is READY. */
  #editable({ dataset }: DatasetContext) {
    const { datasets } = this.#parts;
    if (dataset.status_new !== 'READY') {
      throw new AppError('conflict', message('metadata_needs_ready', { status: dataset.status_new }));
    }
    return datasets.storeOf(dataset).metadata;
  }

  /** The values of a field are uploaded only once. */
  #assertEmpty({ field_id, field_name, n_read, is_complete }: FieldRow): void {
    if (n_read === 0 && !is_complete && !this.#parts.tasks.wasStarted(field_id)) return;
    throw new AppError('conflict', message('metadata_values_exist', { field: field_name }));
  }

  #present({ field_id, n_read, inserted_rows, error_count, sample_errors, is_complete }: FieldRow): MetadataStatus {
    const { tasks } = this.#parts;
    const errors = sample_errors.map(presentError);
    const answer = { task_id: field_id, inserted_rows, error_count, sample_errors: errors };
    const open = tasks.findOpen(field_id);
    if (open) return { ...answer, status: 'IN_PROGRESS', progress: open.progress_percentage ?? 0 };
    if (is_complete) {
      return { ...answer, status: error_count === 0 ? 'COMPLETED' : 'COMPLETED_WITH_ERRORS', progress: 100 };
    }
    if (n_read === 0 && !tasks.wasStarted(field_id)) return { ...answer, status: 'INIT', progress: 0 };
    // Rows that were not read are reported as missing.
    const why = tasks.whyEnded(field_id);
    const problem = why ? message('values_partly_read_because', { problem: why }) : message('values_partly_read');
    return {
      ...answer,
      status: 'COMPLETED_WITH_ERRORS',
      progress: 100,
      error_count: error_count + 1,
      sample_errors: [...errors, presentError({ problem, row_index: n_read })],
    };
  }

  #changed({ dataset, principal }: DatasetContext): void {
    const { dataset_id } = dataset;
    this.#parts.events.emit('dataset_changed', { dataset_id, edited_by: principal.user_id });
  }
}

function presentError({ problem, row_index }: RowError): MetadataStatus['sample_errors'][number] {
  return { reason: formatMessage(problem), row_index };
}

/** Tables are recognised by their file name extension; any other file is JSON. */
function formatOf({ file, column }: { file: UploadedFile; column: string }): ValueFormat {
  const [, kind] = /\.(csv|parquet)$/i.exec(file.file_name) ?? [];
  if (kind === undefined) return { kind: 'json' };
  return { kind: kind.toLowerCase() === 'csv' ? 'csv' : 'parquet', column };
}
