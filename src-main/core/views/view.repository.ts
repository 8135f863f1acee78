import { AppError } from '../../contract/errors.ts';
import { type Message, message, storeMessage } from '../../contract/messages.ts';
import type { TrendPoint } from '../../contract/schemas/view.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { FoundCounts } from '../ports/explore.ts';
import type { ViewListRow, ViewRow } from './view-row.ts';

const SELECT = `SELECT saved_view.*, coalesce(user.user_id, '') AS user_id, coalesce(user.name, created_by) AS user_name
  FROM saved_view LEFT JOIN user ON user.email = saved_view.created_by`;

/** SQL: queue position of a dataset's last task. */
const LAST_PLACE = '(SELECT coalesce(max(place), 0) FROM task WHERE dataset_id = :dataset_id)';

type NewView = Pick<
  ViewRow,
  'view_id' | 'dataset_id' | 'name' | 'entity_type' | 'threshold' | 'caption' | 'vql' | 'created_by' | 'created_at'
>;

/** Saved views and their trends. Methods that write join the caller's transaction. */
export class ViewRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /**
   * Adds a view.
   * @param images Texts of the external images that its query compares with, by anchor id.
   * @throws AppError `conflict` if the dataset has a view of this name.
   */
  insert(view: NewView, images: ReadonlyMap<string, string>): void {
    const { changes } = this.#catalog.run(
      `INSERT INTO saved_view VALUES (:view_id, :dataset_id, :name, :entity_type, :threshold, :caption, :vql, :created_by, :created_at,
         ${LAST_PLACE}, 1, :created_at, 1, -1, -1, -1, 0, NULL, NULL) ON CONFLICT (dataset_id, name) DO NOTHING`,
      { ...view },
    );
    if (changes === 0) throw new AppError('conflict', message('view_name_taken', { name: view.name }));
    this.#insertImages(view, images);
  }

  /** Replaces the query and clears the trend, which then counts only later batches. */
  replaceQuery(
    of: Pick<ViewRow, 'view_id' | 'dataset_id'>,
    query: Pick<ViewRow, 'entity_type' | 'threshold' | 'caption' | 'vql'>,
    images: ReadonlyMap<string, string>,
    at: string,
  ): void {
    this.#catalog.run('DELETE FROM view_point WHERE view_id = :view_id', { view_id: of.view_id });
    this.#catalog.run('DELETE FROM view_image WHERE view_id = :view_id', { view_id: of.view_id });
    const { changes } = this.#catalog.run(
      `UPDATE saved_view SET entity_type = :entity_type, threshold = :threshold, caption = :caption, vql = :vql,
         watched_after = ${LAST_PLACE}, monitoring_started_at = :at, n_images = -1, n_objects = -1, n_video_frames = -1,
         total_results = 0, last_results = NULL, problem = NULL WHERE view_id = :view_id`,
      { ...of, ...query, at },
    );
    if (changes === 1) this.#insertImages(of, images);
  }

  #insertImages(
    { view_id, dataset_id }: Pick<ViewRow, 'view_id' | 'dataset_id'>,
    images: ReadonlyMap<string, string>,
  ): void {
    for (const [anchorId, image] of images) {
      this.#catalog.run('INSERT INTO view_image VALUES (:view_id, :anchor_media_id, :dataset_id, :image)', {
        view_id,
        anchor_media_id: anchorId,
        dataset_id,
        image,
      });
    }
  }

  find(datasetId: string, viewId: string): ViewListRow | undefined {
    return this.#catalog.find<ViewListRow>(`${SELECT} WHERE dataset_id = :dataset_id AND view_id = :view_id`, {
      dataset_id: datasetId,
      view_id: viewId,
    });
  }

  /** Newest first. */
  list(datasetId: string): ViewListRow[] {
    return this.#catalog.all<ViewListRow>(`${SELECT} WHERE dataset_id = :dataset_id ORDER BY saved_view.rowid DESC`, {
      dataset_id: datasetId,
    });
  }

  /** Views that were monitored before a task was queued, compared by queue position because the clock may change. */
  listWatching(datasetId: string, taskId: string): ViewRow[] {
    return this.#catalog.all<ViewRow>(
      `SELECT * FROM saved_view WHERE dataset_id = :dataset_id AND monitoring_enabled = 1
         AND watched_after < (SELECT place FROM task WHERE task_id = :task_id) ORDER BY rowid`,
      { dataset_id: datasetId, task_id: taskId },
    );
  }

  /** The text of an external image that a view compares with. */
  findImage(datasetId: string, anchorId: string): string | undefined {
    return this.#catalog.find<{ image: string }>(
      'SELECT image FROM view_image WHERE anchor_media_id = :anchor_media_id AND dataset_id = :dataset_id',
      { anchor_media_id: anchorId, dataset_id: datasetId },
    )?.image;
  }

  /** @returns Whether the view existed. */
  delete(datasetId: string, viewId: string): boolean {
    const { changes } = this.#catalog.run(
      'DELETE FROM saved_view WHERE dataset_id = :dataset_id AND view_id = :view_id',
      { dataset_id: datasetId, view_id: viewId },
    );
    return changes === 1;
  }

  setAlerting(viewId: string, isEnabled: boolean): void {
    this.#catalog.run('UPDATE saved_view SET alerting_enabled = :enabled WHERE view_id = :view_id', {
      view_id: viewId,
      enabled: Number(isEnabled),
    });
  }

  /** Only batches of later tasks are checked. */
  startMonitoring(datasetId: string, viewId: string, at: string): void {
    this.#catalog.run(
      `UPDATE saved_view SET monitoring_enabled = 1, monitoring_started_at = :at, watched_after = ${LAST_PLACE}
       WHERE view_id = :view_id AND monitoring_enabled = 0`,
      { view_id: viewId, dataset_id: datasetId, at },
    );
  }

  stopMonitoring(viewId: string): void {
    this.#catalog.run('UPDATE saved_view SET monitoring_enabled = 0 WHERE view_id = :view_id', { view_id: viewId });
  }

  /**
   * Adds the result of a batch to a view's trend, unless the trend already has the batch.
   * @returns Whether the point was added: false also if the view was deleted meanwhile, or now monitors only later batches.
   */
  addPoint(
    { view_id, watched_after }: Pick<ViewRow, 'view_id' | 'watched_after'>,
    batch: { batch_id: string; at: string },
    { count, n_images, n_objects, n_video_frames }: FoundCounts & { count: number },
  ): boolean {
    const { changes } = this.#catalog.run(
      `INSERT INTO view_point (view_id, dataset_id, batch_id, timestamp, count, cumulative)
       SELECT view_id, dataset_id, :batch_id, :at, :count, total_results + :count FROM saved_view
       WHERE view_id = :view_id AND watched_after = :watched_after ON CONFLICT (view_id, batch_id) DO NOTHING`,
      { view_id, watched_after, ...batch, count },
    );
    if (changes === 0) return false;
    this.#catalog.run(
      `UPDATE saved_view SET n_images = max(n_images, 0) + :n_images, n_objects = max(n_objects, 0) + :n_objects,
         n_video_frames = max(n_video_frames, 0) + :n_video_frames, total_results = total_results + :count,
         last_results = iif(:count > 0, :at, last_results), problem = NULL WHERE view_id = :view_id`,
      { view_id, at: batch.at, count, n_images, n_objects, n_video_frames },
    );
    return true;
  }

  saveProblem(viewId: string, problem: Message): void {
    this.#catalog.run('UPDATE saved_view SET problem = :problem WHERE view_id = :view_id', {
      view_id: viewId,
      problem: storeMessage(problem),
    });
  }

  /** The latest points, in ascending order of time. */
  listPoints(viewId: string, limit: number): TrendPoint[] {
    return this.#catalog
      .all<TrendPoint>(
        `SELECT timestamp, batch_id, count, cumulative FROM view_point WHERE view_id = :view_id
         ORDER BY point_id DESC LIMIT :limit`,
        { view_id: viewId, limit },
      )
      .reverse();
  }
}
