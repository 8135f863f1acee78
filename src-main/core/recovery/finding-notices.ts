import { formatMessage, message } from '../../contract/messages.ts';
import type { RecoveryEvent } from '../../contract/schemas/recovery.ts';
import type { EventBus } from '../events.ts';
import type { NotificationService } from '../notifications/notification.service.ts';

/** Notifies the people who manage the service of damage that a check in the background found. */
export class FindingNotices {
  readonly #listManagers: () => readonly string[];
  readonly #notifications: Pick<NotificationService, 'add'>;
  readonly #events: EventBus;

  constructor(parts: {
    /** Ids of the users who manage the service. */
    listManagers: () => readonly string[];
    notifications: Pick<NotificationService, 'add'>;
    events: EventBus;
  }) {
    this.#listManagers = parts.listManagers;
    this.#notifications = parts.notifications;
    this.#events = parts.events;
  }

  /** Adds one notification for all of the events, which are about the same dataset or backup, latest first. */
  notify(found: readonly RecoveryEvent[]): void {
    const [first] = found;
    if (first === undefined) return;
    const sentences = {
      title: message('damage_found_title'),
      message: message('damage_found', {
        name: first.name,
        problems: found.map(({ finding }) => finding).toReversed(),
      }),
    };
    this.#notifications.add(this.#listManagers(), {
      entity_type: 'recovery',
      entity_id: String(first.event_id),
      title: formatMessage(sentences.title),
      message: formatMessage(sentences.message),
      metadata: {
        ...{ view_name: '', dataset_name: '', result_count: found.length, batch_id: '', is_alert: false },
        ...{ shared_by: null, media_ids: [], sentences },
      },
      // The link of a notification with a dataset leads to the dataset's views.
      dataset_id: null,
    });
    this.#events.emit('notifications_changed', {});
  }
}
