import type { TaskStatus } from '../../contract/schemas/task.ts';
import type { Catalog } from '../ports/catalog.ts';

/** An export's row in the catalog. */
export interface ExportRow {
  export_id: string;
  dataset_id: string;
  created_at: string;
  is_rejected: 0 | 1;
  options: string;
  chosen: string;
  generation: number;
  entities_count: number;
  result_message: string;
  size_bytes: number | null;
}

/** A time that does not count for the age of exports. */
export interface ClockJump {
  from_at: string;
  to_at: string;
}

/** An export with the progress of its task; null if the export has no task. */
export interface ExportListRow extends Omit<ExportRow, 'chosen'> {
  task_status: TaskStatus | null;
  progress_percentage: number | null;
  error_message: string | null;
}

const SELECT = `SELECT export_id, export.dataset_id, created_at, is_rejected, options, generation, entities_count, result_message, size_bytes,
    task.status AS task_status, progress_percentage, error_message
  FROM export LEFT JOIN task ON task_id = export_id`;

export class ExportRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** Joins the caller's transaction. */
  insert(row: ExportRow): void {
    this.#catalog.run(
      `INSERT INTO export VALUES (:export_id, :dataset_id, :created_at, :is_rejected, :options, :chosen, :generation, :entities_count,
         :result_message, :size_bytes)`,
      { ...row },
    );
  }

  /** Includes the chosen rows. */
  get(exportId: string): ExportRow | undefined {
    return this.#catalog.find<ExportRow>('SELECT * FROM export WHERE export_id = :export_id', { export_id: exportId });
  }

  find(exportId: string): ExportListRow | undefined {
    return this.#catalog.find<ExportListRow>(`${SELECT} WHERE export_id = :export_id`, { export_id: exportId });
  }

  /** Newest first. */
  list(datasetId: string): ExportListRow[] {
    return this.#catalog.all<ExportListRow>(
      `${SELECT} WHERE export.dataset_id = :dataset_id ORDER BY created_at DESC, export.rowid DESC`,
      { dataset_id: datasetId },
    );
  }

  /** Generations of a dataset that exports in progress read. */
  listGenerations(datasetId: string): number[] {
    return this.#catalog
      .all<Pick<ExportRow, 'generation'>>(
        `SELECT DISTINCT generation FROM export JOIN task ON task_id = export_id
         WHERE export.dataset_id = :dataset_id AND task.status IN ('INITIALIZING', 'RUNNING')`,
        { dataset_id: datasetId },
      )
      .map(({ generation }) => generation);
  }

  /** Ids of finished exports, whose files must exist. */
  listMade(): string[] {
    return this.#catalog
      .all<{ export_id: string }>('SELECT export_id FROM export WHERE size_bytes IS NOT NULL')
      .map((row) => row.export_id);
  }

  /** Ids of exports that are old, or that exceed the maximum number per dataset; exports still in progress are left out. */
  listOld(isOld: (createdAt: string) => boolean, most: number): string[] {
    return this.#catalog
      .all<{ export_id: string; created_at: string; nth: number }>(
        `SELECT export_id, created_at, nth FROM (
           SELECT export_id, created_at, row_number() OVER (PARTITION BY dataset_id ORDER BY created_at DESC, rowid DESC) AS nth FROM export)
         WHERE NOT EXISTS (SELECT 1 FROM task WHERE task_id = export_id AND status IN ('INITIALIZING', 'RUNNING'))`,
      )
      .filter(({ created_at, nth }) => nth > most || isOld(created_at))
      .map((row) => row.export_id);
  }

  /** Times that do not count, in order. */
  listJumps(): ClockJump[] {
    return this.#catalog.all<ClockJump>('SELECT from_at, to_at FROM clock_jump ORDER BY from_at');
  }

  /**
   * Records the time of the clock. If more than `most_ms` have passed since the last record, the time beyond does not count.
   */
  noteTime(now: string, mostMs: number): void {
    this.#catalog.transaction(() => {
      const seen = this.#catalog.find<{ seen_at: string }>('SELECT seen_at FROM clock_look')?.seen_at;
      const counted = seen === undefined ? now : new Date(Date.parse(seen) + mostMs).toISOString();
      // Jumps that were noted before the clock was set back say nothing about the time to come.
      this.#catalog.run('DELETE FROM clock_jump WHERE from_at > :now', { now });
      this.#catalog.run('UPDATE clock_jump SET to_at = :now WHERE to_at > :now', { now });
      if (counted < now)
        this.#catalog.run('INSERT INTO clock_jump VALUES (:from_at, :to_at)', { from_at: counted, to_at: now });
      this.#catalog.run('DELETE FROM clock_jump WHERE to_at < (SELECT min(created_at) FROM export)');
      this.#catalog.run('INSERT OR REPLACE INTO clock_look VALUES (1, :now)', { now });
    });
  }

  /** Joins the caller's transaction. */
  markMade(exportId: string, made: { entities_count: number; size_bytes: number; result_message: string }): void {
    this.#catalog.run(
      `UPDATE export SET chosen = '', entities_count = :entities_count, size_bytes = :size_bytes, result_message = :result_message
       WHERE export_id = :export_id`,
      { export_id: exportId, ...made },
    );
  }

  delete(exportIds: readonly string[]): void {
    this.#catalog.run('DELETE FROM export WHERE export_id IN (SELECT value FROM json_each(:export_ids))', {
      export_ids: JSON.stringify(exportIds),
    });
  }
}
