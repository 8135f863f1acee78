import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { fieldValue } from '../schemas/custom-metadata.ts';
import { CLUSTER_ACTIONS, edit, tag } from '../schemas/edit.ts';
import { mediaSelection } from '../schemas/media-selection.ts';

const datasetId = field.uuid;
const tagName = z.string().trim().min(1, 'must not be empty').max(100, 'must be at most 100 characters');
const labelName = z.string().trim().min(1, 'must not be empty').max(255, 'must be at most 255 characters');
const some = <T extends z.ZodType>(of: T) => z.array(of).max(100).default([]);

/** Ours: tags, labels and exclusion of items and objects. */
export const editingOperations = {
  list_tags: defineOperation({
    method: 'GET',
    path: '/dataset/{dataset_id}/tags',
    section: 'own',
    summary: 'The tags of a dataset, by name',
    input: z.object({ dataset_id: datasetId }),
    output: z.array(tag),
    errors: ['not_found'],
  }),
  create_tag: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/tags',
    section: 'own',
    summary: 'Create a tag; names are unique in a dataset',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({ dataset_id: datasetId, name: tagName }),
    output: tag,
    errors: ['not_found', 'conflict', 'disk_full'],
  }),
  rename_tag: defineOperation({
    method: 'PATCH',
    path: '/dataset/{dataset_id}/tags/{tag_id}',
    section: 'own',
    summary: 'Rename a tag',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({ dataset_id: datasetId, tag_id: field.uuid, name: tagName }),
    output: tag,
    errors: ['not_found', 'conflict', 'disk_full'],
  }),
  delete_tag: defineOperation({
    method: 'DELETE',
    path: '/dataset/{dataset_id}/tags/{tag_id}',
    section: 'own',
    summary: 'Delete a tag and remove it from all items; can be undone',
    permission: 'dataset:edit',
    input: z.object({ dataset_id: datasetId, tag_id: field.uuid }),
    output: edit,
    errors: ['not_found', 'conflict', 'disk_full'],
  }),
  edit_tags: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/edit_tags',
    section: 'own',
    summary: 'Add tags to items and objects and remove others, in one edit; can be undone',
    permission: 'dataset:edit',
    body: 'json',
    longBody: true,
    input: z.object({
      dataset_id: datasetId,
      media_selection: mediaSelection,
      add: some(field.uuid),
      remove: some(field.uuid),
    }),
    output: edit,
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable', 'disk_full'],
  }),
  edit_labels: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/edit_labels',
    section: 'own',
    summary:
      'Add, remove or confirm labels of items and objects; takes precedence over annotations and models; can be undone',
    permission: 'dataset:edit',
    body: 'json',
    longBody: true,
    input: z.object({
      dataset_id: datasetId,
      media_selection: mediaSelection,
      add: some(labelName),
      remove: some(labelName),
      /** Labels to confirm: they become labels set by a person. */
      confirm: some(labelName),
    }),
    output: edit,
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable', 'disk_full'],
  }),
  edit_caption: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/edit_caption',
    section: 'own',
    summary: 'Set the caption that people give to items; it is shown before those of files and models; can be undone',
    permission: 'dataset:edit',
    body: 'json',
    longBody: true,
    input: z.object({
      dataset_id: datasetId,
      media_selection: mediaSelection,
      /** Null or empty removes it. */
      caption: z.string().trim().max(32_768, 'must be at most 32768 characters').nullable(),
    }),
    output: edit,
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable', 'disk_full'],
  }),
  edit_custom_metadata: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/edit_custom_metadata',
    section: 'own',
    summary: 'Set the value of a custom field of items; can be undone',
    permission: 'dataset:edit',
    body: 'json',
    longBody: true,
    input: z.object({
      dataset_id: datasetId,
      media_selection: mediaSelection,
      field_name: field.name,
      /** Null removes the value. */
      value: fieldValue.nullable(),
    }),
    output: edit,
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable', 'disk_full'],
  }),
  exclude: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/exclude',
    section: 'own',
    summary: 'Exclude items and objects from the dataset; nothing is deleted; can be undone',
    permission: 'dataset:edit',
    body: 'json',
    longBody: true,
    input: z.object({ dataset_id: datasetId, media_selection: mediaSelection }),
    output: edit,
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable', 'disk_full'],
  }),
  include: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/include',
    section: 'own',
    summary: 'Restore excluded items and objects; can be undone',
    permission: 'dataset:edit',
    body: 'json',
    longBody: true,
    input: z.object({ dataset_id: datasetId, media_selection: mediaSelection }),
    output: edit,
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable', 'disk_full'],
  }),
  name_cluster: defineOperation({
    method: 'PATCH',
    path: '/explore/{dataset_id}/cluster/{cluster_id}',
    section: 'own',
    summary:
      'Name a cluster; an empty name restores the automatic one. The name follows the cluster when clusters change; can be undone',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({
      dataset_id: datasetId,
      cluster_id: field.uuid,
      name: z.string().trim().max(100, 'must be at most 100 characters').nullable(),
    }),
    output: z.object({ cluster_id: z.string(), name: z.string().nullable() }),
    errors: ['not_found', 'conflict', 'disk_full'],
  }),
  edit_clusters: defineOperation({
    method: 'POST',
    path: '/explore/{dataset_id}/edit_clusters',
    section: 'own',
    summary:
      'Hide clusters, show them again, merge clusters of a level, or split a merged one; kept when clusters change; can be undone',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({
      dataset_id: datasetId,
      action: z.enum(CLUSTER_ACTIONS),
      cluster_ids: z.array(field.uuid).min(1).max(100),
    }),
    output: edit,
    errors: ['invalid_request', 'not_found', 'conflict', 'disk_full'],
  }),
  list_edits: defineOperation({
    method: 'GET',
    path: '/dataset/{dataset_id}/edits',
    section: 'own',
    summary:
      'Latest edits that can be undone, newest first; with `media_id`, those that changed the item or its objects',
    input: z.object({ dataset_id: datasetId, media_id: field.blankAsAbsent(field.uuid) }),
    output: z.array(edit),
    errors: ['not_found'],
  }),
  undo_edit: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/undo_edit',
    section: 'own',
    summary: 'Undo an edit (default: the latest); refused if a later edit changed the same again',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({ dataset_id: datasetId, edit_id: field.integer(1, Number.MAX_SAFE_INTEGER).optional() }),
    output: edit,
    errors: ['not_found', 'conflict', 'disk_full'],
  }),
};
