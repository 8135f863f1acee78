import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { EXPLORED_TYPES } from '../schemas/explore.ts';
import { assignment, comment, MAX_COMMENT_CHARS, MAX_NOTE_CHARS, person } from '../schemas/teamwork.ts';

const datasetId = field.uuid;
const text = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_COMMENT_CHARS, `must be at most ${MAX_COMMENT_CHARS} characters`);

/** Ours: comments on items, and items that are assigned to people. */
export const teamworkOperations = {
  list_people: defineOperation({
    method: 'GET',
    path: '/dataset/{dataset_id}/people',
    section: 'own',
    summary: 'People who can see a dataset, with their roles, for assignments and mentions',
    input: z.object({ dataset_id: datasetId }),
    output: z.array(person),
    errors: ['not_found'],
  }),
  list_comments: defineOperation({
    method: 'GET',
    path: '/dataset/{dataset_id}/comments',
    section: 'own',
    summary: 'Comments on an item, oldest first; without an item the latest of the dataset, newest first',
    input: z.object({ dataset_id: datasetId, media_id: field.blankAsAbsent(field.uuid) }),
    output: z.array(comment),
    errors: ['not_found'],
  }),
  add_comment: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/comments',
    section: 'own',
    summary: 'Comment on an item; people who are mentioned (`@` and their address) are notified',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({ dataset_id: datasetId, media_id: field.uuid, text }),
    output: comment,
    errors: ['not_found', 'disk_full'],
  }),
  edit_comment: defineOperation({
    method: 'PATCH',
    path: '/dataset/{dataset_id}/comments/{comment_id}',
    section: 'own',
    summary: 'Change the text of an own comment',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({ dataset_id: datasetId, comment_id: field.uuid, text }),
    output: comment,
    errors: ['not_found', 'forbidden', 'disk_full'],
  }),
  delete_comment: defineOperation({
    method: 'DELETE',
    path: '/dataset/{dataset_id}/comments/{comment_id}',
    section: 'own',
    summary: 'Delete an own comment; owners of the dataset delete any',
    permission: 'dataset:edit',
    input: z.object({ dataset_id: datasetId, comment_id: field.uuid }),
    output: z.null(),
    reply: 'null',
    errors: ['not_found', 'forbidden', 'disk_full'],
  }),
  assign_items: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/assignments',
    section: 'own',
    summary: 'Assign the matches of a query to somebody who can see the dataset, who is notified',
    permission: 'dataset:edit',
    body: 'json',
    longBody: true,
    input: z.object({
      dataset_id: datasetId,
      assignee_email: field.email,
      title: field.name,
      note: field.blankAsDefault(
        z.string().trim().max(MAX_NOTE_CHARS, `must be at most ${MAX_NOTE_CHARS} characters`),
        '',
      ),
      entity_type: field.blankAsDefault(z.enum(EXPLORED_TYPES), 'IMAGES'),
      vql: z.string().max(100_000),
    }),
    output: assignment,
    errors: ['not_found', 'disk_full'],
  }),
  list_assignments: defineOperation({
    method: 'GET',
    path: '/assignments',
    section: 'own',
    summary: 'Items assigned to the caller or by the caller, open ones first, then newest first',
    permission: 'account',
    input: z.object({}),
    output: z.array(assignment),
  }),
  set_assignment_done: defineOperation({
    method: 'PATCH',
    path: '/assignments/{assignment_id}',
    section: 'own',
    summary: 'Mark an own assignment as done or open; who assigned it is notified',
    permission: 'account',
    body: 'json',
    input: z.object({ assignment_id: field.uuid, done: field.boolean }),
    output: assignment,
    errors: ['not_found', 'disk_full'],
  }),
  delete_assignment: defineOperation({
    method: 'DELETE',
    path: '/assignments/{assignment_id}',
    section: 'own',
    summary: 'Delete an assignment that the caller made',
    permission: 'account',
    input: z.object({ assignment_id: field.uuid }),
    output: z.null(),
    reply: 'null',
    errors: ['not_found', 'disk_full'],
  }),
};
