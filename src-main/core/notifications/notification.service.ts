import { AppError } from '../../contract/errors.ts';
import type { StreamedEvent } from '../../contract/events.ts';
import { message } from '../../contract/messages.ts';
import type { CallContext } from '../core.ts';
import type { EventBus } from '../events.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { MediaUrls } from '../media/media-urls.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { NewNotification, NotificationRepository } from './notification.repository.ts';
import { NotificationFeed } from './notification-feed.ts';
import { presentNotification } from './present-notification.ts';

interface OfDataset {
  dataset_id?: string | undefined;
}

/** Notifications: each user has their own, read or unread. */
export class NotificationService {
  readonly #rows: NotificationRepository;
  readonly #feed: NotificationFeed;
  readonly #urls: MediaUrls;
  readonly #events: EventBus;
  readonly #clock: Clock;
  readonly #ids: Ids;

  /** The operations that this service handles. */
  readonly handlers = {
    list_notifications: (context, input) => this.list(context, input),
    count_unread_notifications: (context, input) => this.countUnread(context, input),
    read_notification: (context, input) => this.read(context, input),
    read_all_notifications: (context, input) => this.readAll(context, input),
    stream_notifications: (context, input) => this.stream(context, input),
  } satisfies SomeHandlers;

  constructor(parts: {
    rows: NotificationRepository;
    events: EventBus;
    urls: MediaUrls;
    clock: Clock;
    ids: Ids;
    log: Log;
  }) {
    const { rows, events, urls, log } = parts;
    this.#rows = rows;
    this.#urls = urls;
    this.#events = events;
    this.#clock = parts.clock;
    this.#ids = parts.ids;
    this.#feed = new NotificationFeed({
      read: (scope, place, limit) => rows.listAfter(scope, place, limit),
      present: (row, reader) => presentNotification(row, urls, reader),
      events,
      log,
    });
  }

  /**
   * Adds a notification for each of the users. Joins the caller's transaction; the caller emits `notifications_changed` after the commit.
   */
  add(userIds: readonly string[], notification: NewNotification): void {
    const createdAt = this.#clock.iso();
    for (const userId of userIds) {
      this.#rows.insert({
        ...notification,
        notification_id: this.#ids.uuid(),
        user_id: userId,
        metadata: JSON.stringify(notification.metadata),
        created_at: createdAt,
      });
    }
  }

  list(
    context: CallContext,
    { limit, offset, ...of }: OfDataset & { limit: number; offset: number; unread_only: boolean },
  ) {
    const { rows, total } = this.#rows.list({ viewer: context.principal, ...of }, { offset, limit });
    const notifications = rows.map((row) => presentNotification(row, this.#urls, context));
    return { notifications, total, has_more: offset + rows.length < total };
  }

  countUnread({ principal }: CallContext, of: OfDataset): { count: number } {
    return { count: this.#rows.countUnread({ viewer: principal, ...of }) };
  }

  /** @throws AppError `not_found` if the notification is missing, belongs to another user or was already read. */
  read({ principal }: CallContext, input: { notification_id: string }): { ok: true } {
    if (!this.#rows.markRead(principal, input.notification_id, this.#clock.iso())) {
      throw new AppError('not_found', message('notification_not_found'));
    }
    this.#events.emit('notifications_changed', {});
    return { ok: true };
  }

  readAll({ principal }: CallContext, of: OfDataset): { ok: true; count: number } {
    const count = this.#rows.markAllRead({ viewer: principal, ...of }, this.#clock.iso());
    if (count > 0)
      this.#events.emit('notifications_changed', of.dataset_id === undefined ? {} : { dataset_id: of.dataset_id });
    return { ok: true, count };
  }

  /** Streams new notifications; a client that reconnects first receives those after the last one that it got. */
  stream(
    context: CallContext,
    { dataset_id, last_event_id }: OfDataset & { last_event_id?: string | undefined },
  ): AsyncIterable<StreamedEvent> {
    const last = this.#rows.lastPlace();
    const after = /^\d{1,15}$/.test(last_event_id ?? '') ? Math.min(Number(last_event_id), last) : last;
    const { principal, signal } = context;
    const until = this.#events.untilAccessChanges(principal, signal);
    return this.#feed.follow({ viewer: principal, dataset_id }, { after, reader: context }, until);
  }
}
