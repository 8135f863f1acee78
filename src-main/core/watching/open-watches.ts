import { type Message, message } from '../../contract/messages.ts';
import type { WatchedFolder } from '../../contract/schemas/watched-folder.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { EventBus } from '../events.ts';
import type { ChangeIntakeService } from '../ingestion/change-intake.service.ts';
import type { SeenFile } from '../ports/changes.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { FolderState, FolderWatch, FolderWatchers } from '../ports/watcher.ts';
import type { WatchedFolderRepository, WatchedFolderRow } from './watched-folder.repository.ts';

export interface OpenWatchesParts {
  rows: WatchedFolderRepository;
  datasets: DatasetCatalog;
  intake: ChangeIntakeService;
  watchers: FolderWatchers;
  events: EventBus;
  clock: Clock;
  log: Log;
}

export interface WatchStatus {
  state: WatchedFolder['state'];
  problem: Message | null;
}

interface OpenWatch extends WatchStatus {
  row: WatchedFolderRow;
  stop: AbortController;
  watch: FolderWatch | undefined;
  /** Settles when the watch is open or was stopped. */
  opened: Promise<void>;
}

/** Delays in milliseconds, chosen so that a file is searchable less than 5 s after it was closed. */
const TIMES = { settle_ms: 400, quiet_ms: 800, max_wait_ms: 5_000, root_check_ms: 2_000 };
const KNOWN_PAGE = 1_000;

/** The active watches and their states. */
export class OpenWatches {
  readonly #parts: OpenWatchesParts;
  readonly #open = new Map<string, OpenWatch>();
  #isClosed = false;

  constructor(parts: OpenWatchesParts) {
    this.#parts = parts;
  }

  statusOf(row: WatchedFolderRow): WatchStatus {
    const open = this.#open.get(row.watch_id);
    if (open) return { state: open.state, problem: open.problem };
    return { state: row.paused === 1 ? 'paused' : 'scanning', problem: null };
  }

  /** Starts watching as soon as the dataset can accept changes. */
  open(row: WatchedFolderRow): void {
    if (this.#isClosed || row.paused === 1 || this.#open.has(row.watch_id)) return;
    const open: OpenWatch = {
      row,
      state: 'scanning',
      problem: null,
      stop: new AbortController(),
      watch: undefined,
      opened: Promise.resolve(),
    };
    this.#open.set(row.watch_id, open);
    open.opened = this.#begin(open);
  }

  rescan(watchId: string): void {
    this.#open.get(watchId)?.watch?.rescan();
  }

  /** Stops a watch. Changes that were already handed over are still imported. */
  async close(watchId: string): Promise<void> {
    const open = this.#open.get(watchId);
    if (!open) return;
    this.#open.delete(watchId);
    open.stop.abort();
    await open.opened;
    await open.watch?.close();
  }

  async closeOf(datasetId: string): Promise<void> {
    const ids = [...this.#open.values()].filter(({ row }) => row.dataset_id === datasetId);
    await Promise.all(ids.map(({ row }) => this.close(row.watch_id)));
  }

  async closeAll(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open.keys()].map((watchId) => this.close(watchId)));
    await this.#parts.watchers.close();
  }

  async #begin(open: OpenWatch): Promise<void> {
    const { intake, watchers, log } = this.#parts;
    const { row, stop } = open;
    const { signal } = stop;
    try {
      if (!intake.isReady(row.dataset_id)) open.problem = message('watch_waits_for_dataset');
      await intake.whenReady(row.dataset_id, signal);
      const root = await this.#rootOf(row);
      if (signal.aborted) return;
      open.watch = watchers.watch({
        root,
        exclude: JSON.parse(row.exclude) as string[],
        ...TIMES,
        known: () => this.#known(row),
        onBatch: (changes) =>
          intake.takeIn(row.dataset_id, { source_id: row.source_id, folder: root }, changes, signal),
        onState: (state, problem) => this.#note(open, state, problem ?? null),
        log: log.child({ watch_id: row.watch_id }),
        signal: new AbortController().signal,
      });
    } catch (error) {
      if (signal.aborted) return;
      log.error({ err: error, watch_id: row.watch_id }, 'a folder cannot be watched');
      this.#setState(open, 'error', message('watch_failed'));
    }
  }

  /** The current folder of a watch. The source has the authoritative path, which is copied to the row. */
  async #rootOf(row: WatchedFolderRow): Promise<string> {
    const sources = await this.#store(row.dataset_id).intake.listSources();
    const root = sources.find(({ source_id }) => source_id === row.source_id)?.root ?? row.path;
    if (root !== row.path) this.#parts.rows.setPath(row.watch_id, root);
    return root;
  }

  async *#known(row: WatchedFolderRow): AsyncGenerator<SeenFile[]> {
    for (let after = ''; ; ) {
      const files = await this.#store(row.dataset_id).changes.listKnownFiles(row.source_id, after, KNOWN_PAGE);
      const last = files.at(-1);
      if (!last) return;
      yield files;
      after = last.file_path;
    }
  }

  /** @throws AppError `not_found` for a dataset that is being deleted: its store must not be opened again. */
  #store(datasetId: string) {
    const { datasets } = this.#parts;
    return datasets.storeOf(datasets.getRow(datasetId));
  }

  #note(open: OpenWatch, state: FolderState, problem: Message | null): void {
    const { rows, clock } = this.#parts;
    if (this.#open.get(open.row.watch_id) !== open) return;
    if (state === 'watching' && open.state === 'scanning') rows.noteScan(open.row.watch_id, clock.iso());
    this.#setState(open, state, problem);
  }

  #setState(open: OpenWatch, state: WatchedFolder['state'], problem: Message | null): void {
    Object.assign(open, { state, problem });
    this.#parts.events.emit('dataset_changed', { dataset_id: open.row.dataset_id });
  }
}
