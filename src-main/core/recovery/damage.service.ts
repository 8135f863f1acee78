import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../contract/errors.ts';
import { type Message, message, readMessage } from '../../contract/messages.ts';
import type { Principal } from '../core.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { DatasetCounts, DatasetListRow } from '../datasets/dataset-row.ts';
import type { EventBus } from '../events.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Damage, DatasetInspector, InspectionDepth } from '../ports/damage.ts';
import type { DatasetFolders } from '../ports/dataset-folders.ts';
import type { Log } from '../ports/log.ts';
import type { ReadLimits } from '../ports/read-limits.ts';
import type { VectorSpace } from '../ports/vector-space.ts';
import type { ProjectionService } from '../projection/projection.service.ts';
import type { TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { BackupRepairs } from './backup-repairs.ts';
import type { DamagedGeneration } from './damage-reports.ts';
import type { RecoveryService } from './recovery.service.ts';

/** Time in ms after a start in which no dataset is inspected, so that the first page does not wait for a processor. */
const FIRST_PAGE_MS = 1000;

export interface DamageParts {
  catalog: Catalog;
  datasets: DatasetCatalog;
  projections: Pick<ProjectionService, 'queue'>;
  folders: DatasetFolders;
  inspector: DatasetInspector;
  tasks: TaskService;
  reindexTask: TaskDefinition<Record<string, never>, never>;
  /** The encoder of the `looks` space. */
  looks: VectorSpace;
  recovery: RecoveryService;
  repairs: BackupRepairs;
  events: EventBus;
  owner: Principal;
  log: Log;
}

const COUNTS = [
  'n_images',
  'n_videos',
  'n_objects',
  'n_file_errors',
] as const satisfies readonly (keyof DatasetCounts)[];

/** Compares the files of datasets with the recorded checksums and lengths, and starts repairs where possible. */
export class DamageService {
  readonly #parts: DamageParts;
  /** Damaged databases of busy datasets by dataset id. Their status changes to ERROR when the dataset is no longer busy. */
  readonly #found = new Map<string, { generation: number; reason: Message }>();
  readonly #closing = new AbortController();
  #inspection: Promise<void> = Promise.resolve();

  constructor(parts: DamageParts) {
    this.#parts = parts;
  }

  /** Records that a dataset's database is damaged. If a task found the damage, the task fails first. */
  noteDamaged({ dataset_id, generation }: DamagedGeneration, reason: Message): void {
    this.#found.set(dataset_id, { generation, reason });
    this.tellFound(dataset_id);
  }

  /** Reports damage that was found while the dataset was busy. Call when its status may have changed. */
  tellFound(datasetId: string): void {
    const found = this.#found.get(datasetId);
    if (found === undefined) return;
    const row = this.#parts.datasets.find(datasetId);
    const isReported = row?.status_new === 'ERROR';
    if (row && !isReported && !isSettled(row)) return;
    this.#found.delete(datasetId);
    // A restored snapshot may have replaced the damaged generation.
    if (row?.generation === found.generation && !isReported) this.#fail(row, found.reason);
  }

  /** Sets datasets with a missing folder or database to ERROR, and restores the status of those whose folder exists again. */
  inspectFolders(): void {
    for (const row of this.#listRows()) this.#inspectFolder(row);
  }

  /** Inspects a dataset completely. @returns The problems; undefined for a dataset that is busy or in error. */
  async check(datasetId: string, limits: ReadLimits): Promise<Message[] | undefined> {
    const row = this.#parts.datasets.find(datasetId);
    return row && isSettled(row) ? this.#inspectStore(row, limits) : undefined;
  }

  /** Checks in the background, one dataset after another, that files have the length that their rows need. */
  startInspection(): void {
    this.#inspection = this.#inspectQuickly();
  }

  /** Stops the inspection. Resolves when the current dataset is finished. */
  async stopInspection(): Promise<void> {
    this.#closing.abort();
    await this.#inspection;
  }

  /** Never rejects. */
  async #inspectQuickly(): Promise<void> {
    const { log } = this.#parts;
    await pause(FIRST_PAGE_MS, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
    for (const row of this.#listRows().filter(isSettled)) {
      if (this.#closing.signal.aborted) return;
      try {
        // The dataset may have been deleted or become busy meanwhile.
        const now = this.#parts.datasets.find(row.dataset_id);
        if (now && isSettled(now)) await this.#inspectStore(now);
      } catch (error) {
        log.error({ err: error, dataset_id: row.dataset_id }, 'a dataset could not be inspected');
      }
    }
  }

  /** @param limits Limits of a complete inspection; undefined for a quick one. */
  async #inspectStore(row: DatasetListRow, limits?: ReadLimits): Promise<Message[]> {
    const { datasets } = this.#parts;
    let damages: Damage[];
    let counts: DatasetCounts | undefined;
    let restored: Message[];
    try {
      ({ damages, counts, restored } = await this.#findDamages(row, limits));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'damaged') throw error;
      this.noteDamaged(row, error.reason);
      return [error.reason];
    }
    // The inspection at start and a check may run at the same time; the first to find the damage starts the repair.
    const now = datasets.find(row.dataset_id);
    if (!now || !isSettled(now)) return restored;
    const fatal = damages.find(({ part }) => part === 'database');
    const isMap = ({ part }: Damage) => part === 'projection';
    const derived = damages.filter((damage) => !isGone(damage) && !isMap(damage));
    if (fatal) this.#fail(row, fatal.detail);
    else if (derived.length > 0) this.#recompute(row, derived);
    else {
      if (damages.some(isMap)) this.#recomputeMap(row, damages.filter(isMap));
      if (counts) this.#recount(row, now, counts);
    }
    for (const { detail } of damages.filter(isGone)) {
      this.#parts.recovery.noteOnce({
        kind: 'damaged',
        dataset_id: row.dataset_id,
        name: row.display_name,
        finding: detail,
      });
    }
    return [...restored, ...damages.map(({ detail }) => detail)];
  }

  /** Opens the writer only if damaged data must be disabled. @returns Counts when nothing was written. */
  async #findDamages(
    row: DatasetListRow,
    limits: ReadLimits | undefined,
  ): Promise<{ damages: Damage[]; counts: DatasetCounts | undefined; restored: Message[] }> {
    const { datasets, inspector, looks } = this.#parts;
    const depth: InspectionDepth = limits ? 'whole' : 'quick';
    let found = await inspector.inspect(row, depth, limits);
    const restored = limits && found ? await this.#restoreOriginals(row, found.damages, limits) : [];
    if (restored.length > 0) found = await inspector.inspect(row, depth, limits);
    if (found?.damages.every(isGone)) return { ...found, restored };
    return { damages: await datasets.storeOf(row).repairs.findDamage(depth, looks), counts: undefined, restored };
  }

  /** Restores missing originals from a backup. @returns What was restored. */
  async #restoreOriginals(
    { dataset_id, display_name }: DatasetListRow,
    damages: readonly Damage[],
    { signal }: ReadLimits,
  ): Promise<Message[]> {
    const paths = damages.flatMap((damage) => (damage.part === 'originals' ? damage.paths : []));
    const count = await this.#parts.repairs.restoreOriginals(paths, signal);
    if (count === 0) return [];
    const finding = message('originals_restored', { count });
    this.#parts.recovery.note({ kind: 'repaired', dataset_id, name: display_name, finding });
    return [finding];
  }

  /** Starts a reindex, which computes derived data again. Until it finishes the dataset is PARTIAL INDEX. */
  #recompute(row: DatasetListRow, damages: readonly Damage[]): void {
    const { catalog, datasets, tasks, reindexTask, recovery, events, owner } = this.#parts;
    const { dataset_id, display_name } = row;
    catalog.transaction(() => {
      datasets.apply(dataset_id, 'damaged');
      datasets.apply(dataset_id, 'reindex');
      tasks.start(reindexTask, dataset_id, {}, owner.email);
    });
    recovery.note({
      kind: 'damaged',
      dataset_id,
      name: display_name,
      finding: message('damage_repaired_from_originals', { problems: damages.map(({ detail }) => detail) }),
    });
    events.emit('dataset_changed', { dataset_id });
    tasks.wake();
  }

  /** Corrects the counts in the catalog, which may be outdated after a crash. */
  #recount(before: DatasetListRow, now: DatasetListRow, counts: DatasetCounts): void {
    const { datasets, events } = this.#parts;
    const isRight = COUNTS.every((key) => counts[key] === before[key]);
    // Counts that changed during the inspection are newer.
    const hasChanged = COUNTS.some((key) => now[key] !== before[key]);
    if (isRight || hasChanged) return;
    datasets.saveCounts(now.dataset_id, counts, []);
    events.emit('dataset_changed', { dataset_id: now.dataset_id });
  }

  /** Starts a task that computes the map again. */
  #recomputeMap({ dataset_id, display_name }: DatasetListRow, damages: readonly Damage[]): void {
    const { catalog, projections, recovery, tasks } = this.#parts;
    catalog.transaction(() => projections.queue(dataset_id));
    const finding = message('damage_map', { problems: damages.map(({ detail }) => detail) });
    recovery.note({ kind: 'damaged', dataset_id, name: display_name, finding });
    tasks.wake();
  }

  #inspectFolder(row: DatasetListRow): void {
    const { datasets, folders, recovery, events } = this.#parts;
    const wrong = folders.inspect(row.dataset_id, row.generation);
    const wasDamaged =
      row.status_new === 'ERROR' &&
      row.fatal_error_msg !== null &&
      readMessage(row.fatal_error_msg).code === 'dataset_damaged';
    if (wrong !== undefined && isSettled(row)) this.#fail(row, wrong);
    if (wrong !== undefined || !wasDamaged) return;
    datasets.apply(row.dataset_id, 'found_whole');
    recovery.note({
      kind: 'repaired',
      dataset_id: row.dataset_id,
      name: row.display_name,
      finding: message('folder_back'),
    });
    events.emit('dataset_changed', { dataset_id: row.dataset_id });
  }

  #fail(row: DatasetListRow, reason: Message): void {
    const { datasets, recovery, events } = this.#parts;
    datasets.apply(row.dataset_id, 'fail', message('dataset_damaged', { problem: reason }));
    recovery.note({
      kind: 'damaged',
      dataset_id: row.dataset_id,
      name: row.display_name,
      finding: message('damage_fatal', { problem: reason }),
    });
    events.emit('dataset_changed', { dataset_id: row.dataset_id });
  }

  #listRows(): DatasetListRow[] {
    return this.#parts.datasets.listAll();
  }
}

/** Whether the data cannot be computed again, which applies to lost originals. */
function isGone({ part }: Damage): boolean {
  return part === 'originals';
}

function isSettled({ status_new }: DatasetListRow): boolean {
  return status_new === 'READY' || status_new === 'PARTIAL INDEX';
}
