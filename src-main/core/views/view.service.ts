import { AppError } from '../../contract/errors.ts';
import { formatMessage, message, readMessage } from '../../contract/messages.ts';
import type { ExploredType } from '../../contract/schemas/explore.ts';
import { MAX_POINTS, type Trend, type View } from '../../contract/schemas/view.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { SharingService } from '../access/sharing.service.ts';
import type { EventBus } from '../events.ts';
import type { SavedQueryService } from '../explore/saved-query.service.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { NotificationService } from '../notifications/notification.service.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { ViewRepository } from './view.repository.ts';
import type { ViewListRow } from './view-row.ts';

interface Parts {
  catalog: Catalog;
  views: ViewRepository;
  queries: SavedQueryService;
  sharing: Pick<SharingService, 'getOtherViewer'>;
  notifications: Pick<NotificationService, 'add'>;
  events: EventBus;
  clock: Clock;
  ids: Ids;
}

interface OfView {
  view_id: string;
}

interface RequestedQuery {
  entity_type: ExploredType;
  threshold: number;
  caption?: string | undefined;
  vql?: string | undefined;
}

/** Saved queries with a name. A copy of a dataset starts without views, because it receives batches of its own. */
export class ViewService {
  readonly #parts: Parts;

  /** The operations that this service handles. */
  readonly handlers = {
    create_view: (context, input) => this.create(context, input),
    list_views: (context) => this.list(context),
    delete_view: (context, input) => this.delete(context, input),
    get_view_trend: (context, input) => this.getTrend(context, input),
    set_view_alerting: (context, input) => this.setAlerting(context, input),
    set_view_monitoring: (context, input) => this.setMonitoring(context, input),
    set_view_query: (context, input) => this.setQuery(context, input),
    share_view: (context, input) => this.share(context, input),
  } satisfies SomeHandlers;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws AppError `invalid_input` for an unreadable query; `conflict` for a name that is taken; any error of Explore. */
  async create(context: DatasetContext, input: RequestedQuery & { name: string }): Promise<View> {
    const { catalog, views, queries, clock, ids } = this.#parts;
    const { query, images } = await queries.read(context, input);
    const { dataset_id } = context.dataset;
    const row = {
      view_id: ids.uuid(),
      dataset_id,
      name: input.name,
      threshold: String(input.threshold),
      ...query,
      created_by: context.principal.email,
      created_at: clock.iso(),
    };
    catalog.transaction(() => views.insert(row, images));
    this.#announce(dataset_id);
    return present(this.#get(context, row));
  }

  list({ dataset }: DatasetContext): { views: View[] } {
    return { views: this.#parts.views.list(dataset.dataset_id).map(present) };
  }

  delete({ dataset }: DatasetContext, { view_id }: OfView): null {
    if (!this.#parts.views.delete(dataset.dataset_id, view_id))
      throw new AppError('not_found', message('view_not_found'));
    this.#announce(dataset.dataset_id);
    return null;
  }

  /** @throws AppError `invalid_request` for a view that is not monitored. */
  getTrend(context: DatasetContext, of: OfView): Trend {
    const { total_results, last_results } = this.#getMonitored(context, of);
    return { points: this.#parts.views.listPoints(of.view_id, MAX_POINTS), total_results, last_results };
  }

  /** @throws AppError `invalid_request` for a view that is not monitored. */
  setAlerting(context: DatasetContext, input: OfView & { request: { enabled: boolean } }) {
    const { enabled } = input.request;
    this.#getMonitored(context, input);
    this.#parts.views.setAlerting(input.view_id, enabled);
    this.#announce(context.dataset.dataset_id);
    return { alerting_enabled: enabled };
  }

  setMonitoring(context: DatasetContext, input: OfView & { request: { enabled: boolean } }) {
    const { views, clock } = this.#parts;
    const { dataset_id } = context.dataset;
    const { enabled } = input.request;
    this.#get(context, input);
    if (enabled) views.startMonitoring(dataset_id, input.view_id, clock.iso());
    else views.stopMonitoring(input.view_id);
    this.#announce(dataset_id);
    return { monitoring_enabled: enabled };
  }

  /**
   * Replaces a view's query and deletes its counts, which belong to the previous query.
   * @throws AppError `invalid_input` for an unreadable query; any error of Explore.
   */
  async setQuery(context: DatasetContext, { view_id, request }: OfView & { request: RequestedQuery }): Promise<View> {
    const { catalog, views, queries, clock } = this.#parts;
    const { dataset_id } = context.dataset;
    this.#get(context, { view_id });
    const { query, images } = await queries.read(context, request);
    const changed = { ...query, threshold: String(request.threshold) };
    catalog.transaction(() => views.replaceQuery({ view_id, dataset_id }, changed, images, clock.iso()));
    this.#announce(dataset_id);
    return present(this.#get(context, { view_id }));
  }

  /**
   * Notifies another user, who may see the dataset, of a view.
   * @throws AppError `not_found` for a user who may not see the dataset, `invalid_request` for the caller.
   */
  share(
    context: DatasetContext,
    { view_id, user_email, message }: OfView & { user_email: string; message?: string | undefined },
  ): { ok: true } {
    const { catalog, sharing, notifications, events } = this.#parts;
    const { dataset, principal } = context;
    const view = this.#get(context, { view_id });
    const { user_id } = sharing.getOtherViewer(context, user_email);
    const metadata = {
      view_name: view.name,
      dataset_name: dataset.display_name,
      result_count: view.total_results,
      batch_id: '',
      is_alert: false,
      shared_by: principal.name,
      media_ids: [],
    };
    catalog.transaction(() =>
      notifications.add([user_id], {
        entity_type: 'saved_view',
        entity_id: view_id,
        title: '',
        message: message || null,
        metadata,
        dataset_id: dataset.dataset_id,
      }),
    );
    events.emit('notifications_changed', { dataset_id: dataset.dataset_id });
    return { ok: true };
  }

  #get({ dataset }: DatasetContext, { view_id }: OfView): ViewListRow {
    const row = this.#parts.views.find(dataset.dataset_id, view_id);
    if (!row) throw new AppError('not_found', message('view_not_found'));
    return row;
  }

  #getMonitored(context: DatasetContext, of: OfView): ViewListRow {
    const row = this.#get(context, of);
    if (!row.monitoring_enabled) throw new AppError('invalid_request', message('view_not_monitored'));
    return row;
  }

  #announce(datasetId: string): void {
    this.#parts.events.emit('views_changed', { dataset_id: datasetId });
  }
}

function present(row: ViewListRow): View {
  const failure = row.problem === null ? undefined : readMessage(row.problem);
  const { user_id, user_name, entity_type, threshold, caption, n_images, n_objects, n_video_frames } = row;
  return {
    id: row.view_id,
    dataset_id: row.dataset_id,
    name: row.name,
    created_at: row.created_at,
    created_by: { user_id, email: row.created_by, name: user_name },
    filters: { entity_type, threshold, caption, vql: JSON.parse(row.vql) as Record<string, unknown>[] },
    stats: { n_images, n_objects, n_video_frames },
    monitoring_enabled: row.monitoring_enabled === 1,
    monitoring_started_at: row.monitoring_started_at,
    alerting_enabled: row.alerting_enabled === 1,
    total_results: row.total_results,
    last_results: row.last_results,
    problem: failure === undefined ? null : formatMessage(failure),
    ...(failure && { failure }),
  };
}
