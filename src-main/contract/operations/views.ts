import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { EXPLORED_TYPES } from '../schemas/explore.ts';
import { LONGEST_MESSAGE, trend, view } from '../schemas/view.ts';

const viewName = field.name
  .overwrite((text) => text.normalize())
  .regex(/^\P{Cc}*$/u, 'must not contain control characters');
const ofView = { dataset_id: field.uuid, view_id: field.uuid };
/** The query of a view, as parameters of Explore. */
const viewQuery = {
  entity_type: field.blankAsDefault(z.enum(EXPLORED_TYPES), 'IMAGES'),
  threshold: field.blankAsDefault(field.number(0, 1), 0),
  caption: field.blankAsAbsent(z.string()),
  vql: field.blankAsAbsent(z.string()),
};
const enabled = z.object({ enabled: field.boolean });

/** Interface 4.9. */
export const viewOperations = {
  create_view: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/views',
    section: '4.9',
    summary: 'Save a query under a unique name; later batches are evaluated against it',
    permission: 'dataset:edit',
    body: 'form',
    query: Object.keys(viewQuery),
    input: z.object({
      dataset_id: field.uuid,
      name: viewName,
      ...viewQuery,
    }),
    output: view,
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable', 'disk_full'],
  }),
  list_views: defineOperation({
    method: 'GET',
    path: '/dataset/{dataset_id}/views',
    section: '4.9',
    summary: 'The views of a dataset, newest first',
    input: z.object({ dataset_id: field.uuid }),
    output: z.object({ views: z.array(view) }),
    errors: ['not_found'],
  }),
  delete_view: defineOperation({
    method: 'DELETE',
    path: '/dataset/{dataset_id}/views/{view_id}',
    section: '4.9',
    summary: 'Delete a view and its trend; its alerts stay',
    permission: 'dataset:edit',
    reply: 'null',
    input: z.object(ofView),
    output: z.null(),
    errors: ['not_found', 'disk_full'],
  }),
  get_view_trend: defineOperation({
    method: 'GET',
    path: '/dataset/{dataset_id}/views/{view_id}/trend',
    section: '4.9',
    summary: 'Number of matching items per batch',
    input: z.object(ofView),
    output: trend,
    errors: ['invalid_request', 'not_found'],
  }),
  set_view_alerting: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/views/{view_id}/alerting',
    section: '4.9',
    summary: 'Turn the alerts of a view on or off; monitoring continues',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({ ...ofView, request: enabled }),
    output: z.object({ alerting_enabled: z.boolean() }),
    errors: ['invalid_request', 'not_found', 'disk_full'],
  }),
  set_view_monitoring: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/views/{view_id}/monitoring',
    section: 'own',
    summary: 'Pause or resume monitoring; batches that arrive while paused are not evaluated',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({ ...ofView, request: enabled }),
    output: z.object({ monitoring_enabled: z.boolean() }),
    errors: ['not_found', 'disk_full'],
  }),
  set_view_query: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/views/{view_id}/query',
    section: 'own',
    summary: 'Change the query of a view; its trend and counts restart',
    permission: 'dataset:edit',
    body: 'json',
    longBody: true,
    input: z.object({ ...ofView, request: z.object(viewQuery) }),
    output: view,
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable', 'disk_full'],
  }),
  share_view: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/views/{view_id}/share',
    section: 'own',
    summary: 'Notify a user with access to the dataset about a view; grants no permission',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({
      ...ofView,
      user_email: field.email,
      message: field.blankAsAbsent(z.string().trim().max(LONGEST_MESSAGE)),
    }),
    output: z.object({ ok: z.literal(true) }),
    errors: ['invalid_request', 'not_found', 'disk_full'],
  }),
};
