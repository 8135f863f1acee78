import type { Notification } from '../../contract/schemas/notification.ts';
import { isVisibleTo, type Viewer } from '../access/visible.ts';
import type { Catalog, Sql } from '../ports/catalog.ts';

/** A notification's row in the catalog. */
export interface NotificationRow {
  /** Position in the order of creation. */
  place: number;
  notification_id: string;
  user_id: string;
  entity_type: string;
  entity_id: string;
  title: string;
  message: string | null;
  /** JSON object. */
  metadata: string;
  dataset_id: string | null;
  created_at: string;
  read_at: string | null;
}

/** A notification before it is stored. */
export interface NewNotification extends Omit<Notification, 'id' | 'user_id' | 'created_at' | 'read_at' | 'metadata'> {
  metadata: Omit<Notification['metadata'], 'previews' | 'sentences'> &
    Partial<Pick<Notification['metadata'], 'sentences'>> & { media_ids: readonly string[] };
}

/** The user whose notifications are read, and the dataset; all datasets if left out. */
export interface NotificationScope {
  viewer: Viewer;
  dataset_id?: string | undefined;
}

/** SQL condition for the user's notifications, without those of datasets that the user may no longer see. */
function visibleTo(viewer: Viewer): string {
  return `user_id = :user_id AND (:dataset_id IS NULL OR dataset_id = :dataset_id)
    AND (dataset_id IS NULL OR dataset_id IN (SELECT dataset_id FROM dataset WHERE ${isVisibleTo(viewer)}))`;
}

/** Stored notifications. */
export class NotificationRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  insert(row: Omit<NotificationRow, 'place' | 'read_at'>): void {
    this.#catalog.run(
      `INSERT INTO notification (notification_id, user_id, entity_type, entity_id, title, message, metadata, dataset_id, created_at)
       VALUES (:notification_id, :user_id, :entity_type, :entity_id, :title, :message, :metadata, :dataset_id, :created_at)`,
      { ...row },
    );
  }

  /** Newest first. */
  list(
    scope: NotificationScope & { unread_only: boolean },
    page: { offset: number; limit: number },
  ): { rows: NotificationRow[]; total: number } {
    const visible = visibleTo(scope.viewer);
    const where = scope.unread_only ? `${visible} AND read_at IS NULL` : visible;
    const rows = this.#catalog.all<NotificationRow>(
      `SELECT * FROM notification WHERE ${where} ORDER BY place DESC LIMIT :limit OFFSET :offset`,
      { ...parametersOf(scope), ...page },
    );
    return { rows, total: this.#count(where, scope) };
  }

  countUnread(scope: NotificationScope): number {
    return this.#count(`${visibleTo(scope.viewer)} AND read_at IS NULL`, scope);
  }

  /** Notifications after a position, in the order of creation. */
  listAfter(scope: NotificationScope, place: number, limit: number): NotificationRow[] {
    return this.#catalog.all<NotificationRow>(
      `SELECT * FROM notification WHERE ${visibleTo(scope.viewer)} AND place > :place ORDER BY place LIMIT :limit`,
      { ...parametersOf(scope), place, limit },
    );
  }

  /** Position of the last notification; 0 if there is none. */
  lastPlace(): number {
    return (
      this.#catalog.find<{ place: number }>('SELECT coalesce(max(place), 0) AS place FROM notification')?.place ?? 0
    );
  }

  /** @returns Whether the notification existed and was unread. */
  markRead(viewer: Viewer, notificationId: string, at: string): boolean {
    const { changes } = this.#catalog.run(
      `UPDATE notification SET read_at = :at WHERE ${visibleTo(viewer)} AND notification_id = :notification_id AND read_at IS NULL`,
      { ...parametersOf({ viewer }), notification_id: notificationId, at },
    );
    return changes === 1;
  }

  /** @returns Number of notifications that were unread. */
  markAllRead(scope: NotificationScope, at: string): number {
    return this.#catalog.run(
      `UPDATE notification SET read_at = :at WHERE ${visibleTo(scope.viewer)} AND read_at IS NULL`,
      {
        ...parametersOf(scope),
        at,
      },
    ).changes;
  }

  #count(where: string, scope: NotificationScope): number {
    const sql = `SELECT count(*) AS n FROM notification WHERE ${where}`;
    return this.#catalog.find<{ n: number }>(sql, parametersOf(scope))?.n ?? 0;
  }
}

function parametersOf({ viewer, dataset_id }: NotificationScope): Sql {
  return { user_id: viewer.user_id, dataset_id: dataset_id ?? null };
}
