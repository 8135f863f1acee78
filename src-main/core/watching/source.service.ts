import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { DatasetSource } from '../../contract/schemas/watched-folder.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { EventBus } from '../events.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { SourceSummary } from '../ports/dataset-sources.ts';
import type { LocalFolders } from '../ports/files.ts';
import { FILE_SYSTEM_SOURCE } from '../ports/media-sources.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { WatchingService } from './watching.service.ts';

interface SourceParts {
  datasets: DatasetCatalog;
  watching: WatchingService;
  folders: LocalFolders;
  tasks: TaskService;
  events: EventBus;
}

/** Maximum number of known files that are searched in a folder before the folder is accepted as the new location. */
const SAMPLE = 50;

/** The folders and other sources of a dataset's files. */
export class SourceService {
  readonly #parts: SourceParts;

  /** The operations that this service handles. */
  readonly handlers = {
    list_sources: (context) => this.list(context),
    move_source: (context, input) => this.move(context, input),
  } satisfies SomeHandlers;

  constructor(parts: SourceParts) {
    this.#parts = parts;
  }

  async list({ dataset }: DatasetContext): Promise<{ sources: DatasetSource[] }> {
    const store = this.#parts.datasets.storeOf(dataset);
    const sources = (await store.intake.listSources()).filter((source) => source.n_files > 0 || isMovable(source));
    return { sources: await Promise.all(sources.map((source) => this.#present(source))) };
  }

  /**
   * Changes the path of a dataset's folder; ids, vectors and everything attached to items stay unchanged.
   * @throws AppError `invalid_request` (not a readable folder, or it contains none of the known files), `not_found`, `conflict` (a task is
   * running, or the path is another folder of the dataset).
   */
  async move({ dataset }: DatasetContext, input: { source_id: string; path: string }): Promise<DatasetSource> {
    const { datasets, watching, folders, tasks, events } = this.#parts;
    const { dataset_id } = dataset;
    const { source_id } = input;
    const store = datasets.storeOf(dataset);
    const sources = await store.intake.listSources();
    const source = sources.find((candidate) => candidate.source_id === source_id);
    if (!source) throw new AppError('not_found', message('source_not_found'));
    if (!isMovable(source)) throw new AppError('invalid_request', message('source_not_movable'));
    const root = await folders.locate(input.path);
    if (sources.some((other) => other !== source && other.kind === 'folder' && other.root === root)) {
      throw new AppError('conflict', message('source_folder_exists'));
    }
    const sample = await store.intake.sampleLocations(source_id, SAMPLE);
    if (sample.length > 0 && (await folders.countFiles(root, sample)) === 0) {
      throw new AppError('invalid_request', message('source_files_not_found', { n: sample.length }));
    }
    const move = () =>
      watching.whileMoving(dataset_id, source_id, async () => {
        datasets.getRow(dataset_id);
        await store.intake.moveSource(source_id, root);
        watching.setPath(dataset_id, source_id, root);
      });
    try {
      await tasks.holding('move_source', dataset_id, { task_type: 'SOURCE_MOVE', mode: 'exclusive' }, move);
    } finally {
      // Services that wait for the dataset check its state again.
      events.emit('dataset_changed', { dataset_id });
    }
    return this.#present({ ...source, root });
  }

  async #present(source: SourceSummary): Promise<DatasetSource> {
    const isFolder = isMovable(source);
    return {
      source_id: source.source_id,
      kind: source.kind,
      path: isFolder ? source.root : null,
      n_files: source.n_files,
      available: isFolder ? await this.#parts.folders.isThere(source.root) : true,
    };
  }
}

/** Whether the source is a folder, not the source of files that lists name by absolute path. */
function isMovable(source: SourceSummary): boolean {
  return source.kind === 'folder' && source.source_id !== FILE_SYSTEM_SOURCE;
}
