import type { Catalog, Sql } from '../ports/catalog.ts';
import type { DatasetRecord, RecordRow, StoredSnapshot } from '../ports/dataset-folders.ts';
import { idPrefix } from '../ports/item-ids.ts';

/** Tables with rows of a dataset, and the SQL that selects the rows of its record. Only the latest tasks are needed to continue work. */
const RECORDED_ROWS: Record<string, string> = {
  id_prefix: '',
  enrichment: '',
  media_folder: '',
  watched_folder: '',
  upload_transaction: '',
  dataset_share: '',
  // Newest first, as for tasks.
  snapshot: 'ORDER BY place DESC',
  orphaned_media: '',
  saved_view: 'ORDER BY rowid DESC',
  comment: 'ORDER BY created_at DESC LIMIT 1000',
  view_image: '',
  view_point: 'ORDER BY point_id DESC LIMIT 1000',
  task: 'ORDER BY place DESC, rowid DESC LIMIT 20',
  // After task, which it references. Locks of other datasets' tasks are in the records of these datasets.
  task_lock: 'AND task_id IN (SELECT task_id FROM task WHERE dataset_id = :dataset_id)',
};

/** Reads a dataset's catalog rows as a record, and restores them from a record. */
export class DatasetRecordRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** Datasets whose record file is outdated. */
  listUnsaved(): string[] {
    return this.#catalog
      .all<{ dataset_id: string }>('SELECT dataset_id FROM dataset_unsaved')
      .map((row) => row.dataset_id);
  }

  /** Marks a record as written, unless the dataset changed again meanwhile. */
  markSaved(datasetId: string, revision: number | null): void {
    this.#catalog.run(
      `DELETE FROM dataset_unsaved WHERE dataset_id = :dataset_id AND :revision IS
         (SELECT revision FROM dataset WHERE dataset_id = :dataset_id)`,
      { dataset_id: datasetId, revision },
    );
  }

  listRevisions(): Map<string, { revision: number; generation: number; name: string }> {
    const rows = this.#catalog.all<{ dataset_id: string; revision: number; generation: number; display_name: string }>(
      'SELECT dataset_id, revision, generation, display_name FROM dataset',
    );
    return new Map(
      rows.map(({ dataset_id, revision, generation, display_name }) => [
        dataset_id,
        { revision, generation, name: display_name },
      ]),
    );
  }

  find(datasetId: string): { generation: number; name: string } | undefined {
    return this.#catalog.find('SELECT generation, display_name AS name FROM dataset WHERE dataset_id = :dataset_id', {
      dataset_id: datasetId,
    });
  }

  /** Reads the rows of a dataset as a record. @returns Undefined when the dataset does not exist. */
  read(datasetId: string): DatasetRecord | undefined {
    const of = { dataset_id: datasetId };
    return this.#catalog.transaction(() => {
      const dataset = this.#catalog.find<RecordRow>('SELECT * FROM dataset WHERE dataset_id = :dataset_id', of);
      const owner = this.#catalog.find<RecordRow>(
        'SELECT user.* FROM user JOIN dataset ON owner_id = user_id WHERE dataset_id = :dataset_id',
        of,
      );
      if (!dataset || !owner) return undefined;
      const rows = Object.entries(RECORDED_ROWS).map(([table, order]) => [
        table,
        this.#catalog.all<RecordRow>(`SELECT * FROM ${table} WHERE dataset_id = :dataset_id ${order}`, of),
      ]);
      return {
        format: 1,
        dataset_id: datasetId,
        revision: Number(dataset.revision),
        dataset,
        owner,
        rows: Object.fromEntries(rows),
      };
    });
  }

  /** Deletes a dataset's row and all rows that belong to it. */
  remove(datasetId: string): void {
    this.#catalog.run('DELETE FROM dataset WHERE dataset_id = :dataset_id', { dataset_id: datasetId });
  }

  /** Copies the rows of a table from another dataset's record. */
  takeOver(table: 'enrichment', record: DatasetRecord, datasetId: string): void {
    for (const row of record.rows[table] ?? []) this.#insert(table, { ...row, dataset_id: datasetId });
  }

  /**
   * Replaces the rows of a dataset with those of its record. Only tasks that are too old for the record are stored. The owner is found by id,
   * or by email address in another catalog. Columns that the catalog lacks are skipped.
   */
  restore(record: DatasetRecord): void {
    this.#catalog.transaction(() => {
      const ownerId = this.#ownerOf(record);
      const olderTasks = this.#listOlderTasks(record);
      const foreignLocks = this.#listForeignLocks(record.dataset_id);
      this.remove(record.dataset_id);
      this.#insert('dataset', { ...record.dataset, dataset_id: record.dataset_id, owner_id: ownerId });
      this.#insert('id_prefix', { prefix: idPrefix(record.dataset_id), dataset_id: record.dataset_id });
      for (const table of Object.keys(RECORDED_ROWS)) {
        // Tables whose order matters are recorded newest first.
        for (const row of (record.rows[table] ?? []).toReversed()) {
          if (table === 'task_lock' && !this.#hasTask(row.task_id ?? null)) continue;
          if (table === 'dataset_share' && !this.#hasUser(row.user_id ?? null)) continue;
          this.#insert(table, { ...row, dataset_id: record.dataset_id });
        }
      }
      for (const row of olderTasks) this.#insert('task', row);
      for (const row of foreignLocks) this.#insert('task_lock', row);
      this.#catalog.run('UPDATE dataset SET revision = :revision WHERE dataset_id = :dataset_id', {
        dataset_id: record.dataset_id,
        revision: record.revision + 1,
      });
    });
  }

  /** Names of the snapshots that are not deleted, by id. */
  listSnapshots(datasetId: string): Map<string, string> {
    const rows = this.#catalog.all<{ snapshot_id: string; name: string }>(
      'SELECT snapshot_id, name FROM snapshot WHERE dataset_id = :dataset_id AND deleted_at IS NULL ORDER BY place DESC',
      { dataset_id: datasetId },
    );
    return new Map(rows.map(({ snapshot_id, name }) => [snapshot_id, name]));
  }

  /**
   * Adds rows of stored snapshots that the catalog lacks, oldest first. If no snapshot is current, the newest becomes the current one.
   * @param currentId Id of the current snapshot, if known.
   * @returns The number of added rows.
   */
  addSnapshots(datasetId: string, stored: readonly StoredSnapshot[], currentId: string | null = null): number {
    return this.#catalog.transaction(() => {
      const known = new Set(
        this.#catalog
          .all<{ snapshot_id: string }>('SELECT snapshot_id FROM snapshot WHERE dataset_id = :dataset_id', {
            dataset_id: datasetId,
          })
          .map(({ snapshot_id }) => snapshot_id),
      );
      const rows = stored.flatMap(({ snapshot_id, about }) => (known.has(snapshot_id) ? [] : [about]));
      rows.sort((a, b) => String(a.created_at).localeCompare(String(b.created_at)));
      for (const row of rows) {
        const place = this.#catalog.find<{ place: number }>(
          'SELECT coalesce(max(place), 0) + 1 AS place FROM snapshot',
        );
        this.#insert('snapshot', { ...row, dataset_id: datasetId, is_current: 0, place: place?.place ?? 1 });
      }
      this.#catalog.run(
        `UPDATE snapshot SET is_current = 1 WHERE snapshot_id = coalesce(:current_id, (
           SELECT snapshot_id FROM snapshot WHERE dataset_id = :dataset_id AND deleted_at IS NULL ORDER BY place DESC LIMIT 1))
         AND NOT EXISTS (SELECT 1 FROM snapshot WHERE dataset_id = :dataset_id AND is_current = 1)`,
        { dataset_id: datasetId, current_id: currentId },
      );
      return rows.length;
    });
  }

  holdMediaFolders(datasetId: string, batchIds: readonly string[]): void {
    for (const batchId of batchIds) this.#insert('media_folder', { batch_id: batchId, dataset_id: datasetId });
  }

  /** Lists the media folders whose first holder is this dataset, so that each folder is listed for exactly one dataset. */
  listFirstHeldMediaFolders(datasetId: string): string[] {
    return this.#catalog
      .all<{ batch_id: string }>(
        'SELECT batch_id FROM media_folder GROUP BY batch_id HAVING min(dataset_id) = :dataset_id',
        { dataset_id: datasetId },
      )
      .map((row) => row.batch_id);
  }

  listHeldMediaFolders(): Set<string> {
    const rows = this.#catalog.all<{ batch_id: string }>('SELECT DISTINCT batch_id FROM media_folder');
    return new Set(rows.map((row) => row.batch_id));
  }

  #hasTask(taskId: string | number | null): boolean {
    return this.#catalog.find('SELECT 1 FROM task WHERE task_id = :task_id', { task_id: taskId }) !== undefined;
  }

  #hasUser(userId: string | number | null): boolean {
    return this.#catalog.find('SELECT 1 FROM user WHERE user_id = :user_id', { user_id: userId }) !== undefined;
  }

  /** Tasks that are too old for the record. */
  #listOlderTasks({ dataset_id, rows }: DatasetRecord): RecordRow[] {
    const recorded = JSON.stringify(rows.task?.map(({ task_id }) => task_id) ?? []);
    return this.#catalog.all<RecordRow>(
      `SELECT * FROM task WHERE dataset_id = :dataset_id AND task_id NOT IN (SELECT value FROM json_each(:recorded))
       ORDER BY place, rowid`,
      { dataset_id, recorded },
    );
  }

  /** Locks that tasks of other datasets hold on this one, such as a copy that is being made of it. */
  #listForeignLocks(datasetId: string): RecordRow[] {
    return this.#catalog.all<RecordRow>(
      `SELECT task_lock.* FROM task_lock JOIN task USING (task_id)
       WHERE task_lock.dataset_id = :dataset_id AND task.dataset_id IS NOT :dataset_id`,
      { dataset_id: datasetId },
    );
  }

  #ownerOf({ owner }: DatasetRecord): string {
    const { user_id = null, email = null } = owner;
    const find = () =>
      this.#catalog.find<{ user_id: string }>(
        'SELECT user_id FROM user WHERE user_id = :user_id OR email = :email ORDER BY user_id = :user_id DESC LIMIT 1',
        { user_id, email },
      );
    // The record does not contain the owner's sign-in account.
    if (!find()) this.#insert('user', { ...owner, idp_user_id: null });
    const found = find();
    if (!found) throw new Error('the record names no owner');
    return found.user_id;
  }

  #insert(table: string, row: RecordRow): void {
    const known = this.#catalog.all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`);
    const columns = known.map(({ name }) => name).filter((name) => row[name] !== undefined);
    const values: Sql = Object.fromEntries(columns.map((name) => [name, row[name] ?? null]));
    this.#catalog.run(
      `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((name) => `:${name}`).join(', ')})`,
      values,
    );
  }
}
