import { reasonOf } from '../../contract/errors.ts';
import { formatMessage, type Message, message } from '../../contract/messages.ts';
import type { EntityType } from '../../contract/schemas/explore.ts';
import type { DatasetUsers } from '../access/dataset-users.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { DatasetListRow } from '../datasets/dataset-row.ts';
import type { EventBus } from '../events.ts';
import type { SavedQueryService } from '../explore/saved-query.service.ts';
import type { NotificationService } from '../notifications/notification.service.ts';
import type { Clock } from '../ports/clock.ts';
import type { StoreReads } from '../ports/dataset-store.ts';
import type { FoundSample } from '../ports/explore.ts';
import type { Log } from '../ports/log.ts';
import { counted } from '../tasks/amount.ts';
import type { TaskRun } from '../tasks/define-task.ts';
import type { ViewRepository } from './view.repository.ts';
import type { ViewRow } from './view-row.ts';

/** Items that one batch added. */
export interface NewBatch {
  batch_id: string;
  /** The first row of each entity type that the batch added. */
  first_rows: Record<EntityType, number>;
}

/** The new results of a batch for each view. */
export interface CheckedBatch {
  /**
   * Joins the transaction that completes the batch, so that the results are recorded exactly once, even if earlier runs were interrupted.
   */
  record(): void;
  /** Emits the events. Call after the commit. */
  announce(): void;
}

type Result = { view: ViewRow } & ({ found: FoundSample & { count: number } } | { problem: Message });

interface Parts {
  views: ViewRepository;
  datasets: DatasetCatalog;
  datasetUsers: DatasetUsers;
  queries: SavedQueryService;
  notifications: NotificationService;
  events: EventBus;
  clock: Clock;
  log: Log;
}

/** Checks new batches against the saved views of their datasets. */
export class ViewMonitorService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Counts the new results of a batch for each view. A view whose query fails gets a problem; the batch continues. */
  async check(
    task: Pick<TaskRun<unknown, unknown>, 'task_id' | 'dataset_id' | 'signal' | 'beginStep' | 'reportDone'>,
    store: StoreReads,
    batch: NewBatch,
  ): Promise<CheckedBatch> {
    const { views, datasets, events } = this.#parts;
    const watching = views.listWatching(task.dataset_id, task.task_id);
    if (watching.length === 0) return { record: () => undefined, announce: () => undefined };
    task.beginStep(message('step_checking_saved_views'), { from: 0.99, to: 1 }, watching.length);
    const dataset = datasets.getRow(task.dataset_id);
    const results: Result[] = [];
    for (const view of watching) {
      results.push(await this.#ask(view, { dataset, signal: task.signal }, store, batch));
      task.reportDone(results.length);
    }
    let nAlerts = 0;
    return {
      record: () => {
        for (const result of results) nAlerts += this.#record(dataset, batch, result);
      },
      announce: () => {
        const of = { dataset_id: task.dataset_id };
        events.emit('views_changed', of);
        if (nAlerts > 0) events.emit('notifications_changed', of);
      },
    };
  }

  async #ask(
    view: ViewRow,
    context: { dataset: DatasetListRow; signal: AbortSignal },
    store: StoreReads,
    batch: NewBatch,
  ): Promise<Result> {
    const { queries, log } = this.#parts;
    try {
      const found = await queries.countNew(context, store, view, batch.first_rows);
      return { view, found: { ...found, count: found.n_images + found.n_objects + found.n_video_frames } };
    } catch (error) {
      context.signal.throwIfAborted();
      log.warn({ view_id: view.view_id, err: error }, 'a view could not be checked');
      return {
        view,
        problem: reasonOf(error),
      };
    }
  }

  /** @returns Number of notifications that were added. */
  #record(dataset: DatasetListRow, { batch_id }: NewBatch, result: Result): number {
    const { views, datasetUsers, notifications, clock } = this.#parts;
    const { view_id, dataset_id } = result.view;
    if ('problem' in result) {
      views.saveProblem(view_id, result.problem);
      return 0;
    }
    const { count, media_ids } = result.found;
    if (!views.addPoint(result.view, { batch_id, at: clock.iso() }, result.found) || count === 0) return 0;
    const view = views.find(dataset_id, view_id);
    if (!view?.alerting_enabled) return 0;
    const users = datasetUsers.listCollaborators(dataset_id);
    notifications.add(users, {
      entity_type: 'saved_view',
      entity_id: view_id,
      title: '',
      message: formatMessage(counted('n_new_results', count)),
      metadata: {
        view_name: view.name,
        dataset_name: dataset.display_name,
        result_count: count,
        batch_id,
        is_alert: true,
        shared_by: null,
        media_ids,
      },
      dataset_id,
    });
    return users.length;
  }
}
