import { expect, it } from 'vitest';
import type { Notification } from '../../src-main/contract/schemas/notification.ts';
import { EventBus } from '../../src-main/core/events.ts';
import type { NotificationRow } from '../../src-main/core/notifications/notification.repository.ts';
import { NotificationFeed } from '../../src-main/core/notifications/notification-feed.ts';
import { callBy, principal } from '../support/principals.ts';
import { silentLog } from '../support/silent-log.ts';

it('reports a failure by an error event and continues', async () => {
  const events = new EventBus((error) => expect.fail(String(error)));
  let isBroken = true;
  const read = (_scope: unknown, place: number) => {
    if (isBroken) throw new Error('the database is busy');
    return place < 1 ? [{ place: 1, notification_id: 'n1' } as NotificationRow] : [];
  };
  const present = ({ notification_id }: NotificationRow) => ({ id: notification_id }) as Notification;
  const feed = new NotificationFeed({ read, present, events, log: silentLog });
  const listening = new AbortController();
  const stream = feed.follow(
    { viewer: { user_id: 'u', is_local_owner: false }, dataset_id: undefined },
    { after: 0, reader: callBy(principal()) },
    listening.signal,
  );
  expect((await stream.next()).value).toEqual({ name: 'error', data: { detail: expect.any(String) } });
  isBroken = false;
  const next = stream.next();
  events.emit('notifications_changed', {});
  expect((await next).value).toMatchObject({ name: 'notification', id: '1' });
  const last = stream.next();
  listening.abort();
  expect((await last).done).toBe(true);
});
