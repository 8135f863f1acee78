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

  /** Ids of exports that were made before a time, or that exceed the maximum number per dataset; exports still in progress are left out. */
  listOld(before: string, most: number): string[] {
    return this.#catalog
      .all<{ export_id: string }>(
        `SELECT export_id FROM (
           SELECT export_id, created_at, row_number() OVER (PARTITION BY dataset_id ORDER BY created_at DESC, rowid DESC) AS nth FROM export)
         WHERE (created_at < :before OR nth > :most)
           AND NOT EXISTS (SELECT 1 FROM task WHERE task_id = export_id AND status IN ('INITIALIZING', 'RUNNING'))`,
        { before, most },
      )
      .map((row) => row.export_id);
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
