import { z } from 'zod';
import type { StreamedEvent } from '../events.ts';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { notification } from '../schemas/notification.ts';

const ofDataset = { dataset_id: field.blankAsAbsent(field.uuid) };

/** Interface 4.10. */
export const notificationOperations = {
  list_notifications: defineOperation({
    method: 'GET',
    path: '/notifications',
    section: '4.10',
    summary: 'Notifications of the caller, newest first',
    permission: 'account',
    input: z.object({
      ...ofDataset,
      limit: field.blankAsDefault(field.integer(1, 100), 20),
      offset: field.blankAsDefault(field.integer(0, 1_000_000_000), 0),
      unread_only: field.blankAsDefault(field.boolean, false),
    }),
    output: z.object({ notifications: z.array(notification), total: z.int(), has_more: z.boolean() }),
  }),
  count_unread_notifications: defineOperation({
    method: 'GET',
    path: '/notifications/unread-count',
    section: '4.10',
    summary: 'Number of unread notifications of the caller',
    permission: 'account',
    input: z.object(ofDataset),
    output: z.object({ count: z.int() }),
  }),
  read_notification: defineOperation({
    method: 'POST',
    path: '/notifications/{notification_id}/read',
    section: '4.10',
    summary: 'Mark one notification read',
    permission: 'account',
    body: 'json',
    input: z.object({ notification_id: field.uuid }),
    output: z.object({ ok: z.literal(true) }),
    errors: ['not_found', 'disk_full'],
  }),
  read_all_notifications: defineOperation({
    method: 'POST',
    path: '/notifications/read-all',
    section: '4.10',
    summary: 'Mark all notifications of the caller, or those about one dataset, read',
    permission: 'account',
    body: 'json',
    query: ['dataset_id'],
    input: z.object(ofDataset),
    output: z.object({ ok: z.literal(true), count: z.int() }),
    errors: ['disk_full'],
  }),
  stream_notifications: defineOperation({
    method: 'GET',
    path: '/notifications/stream',
    section: '4.10',
    summary: 'Server-sent events: new notifications; with `Last-Event-ID`, missed ones first',
    permission: 'account',
    input: z.object({
      ...ofDataset,
      /** The `Last-Event-ID` header takes precedence. */
      last_event_id: field.blankAsAbsent(z.string().max(100)),
    }),
    output: z.custom<AsyncIterable<StreamedEvent>>(),
    reply: 'stream',
  }),
};
