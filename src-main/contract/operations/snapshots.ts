import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { snapshot } from '../schemas/snapshot.ts';

const datasetId = field.uuid;
const name = field.blankAsAbsent(field.name);
const description = z.string().trim().max(2000, 'must be at most 2000 characters');
const feature = {
  feature: 'DATASET_SNAPSHOTS_ENABLED',
  featureOffDetail: 'The snapshots feature is not enabled',
} as const;

/** Interface 4.8. */
export const snapshotOperations = {
  list_snapshots: defineOperation({
    ...feature,
    method: 'GET',
    path: '/dataset/{dataset_id}/snapshot',
    section: '4.8',
    summary: 'Snapshots of a dataset, newest first',
    input: z.object({ dataset_id: datasetId }),
    output: z.array(snapshot),
    errors: ['not_found', 'feature_disabled'],
  }),
  create_snapshot: defineOperation({
    ...feature,
    method: 'POST',
    path: '/dataset/{dataset_id}/snapshot',
    section: '4.8',
    summary: 'Keep the present state of a dataset, which costs what changed since the last snapshot',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({ dataset_id: datasetId, name, description: description.default('') }),
    output: snapshot,
    errors: ['not_found', 'feature_disabled', 'conflict', 'damaged', 'disk_full'],
  }),
  update_snapshot: defineOperation({
    ...feature,
    method: 'PATCH',
    path: '/dataset/{dataset_id}/snapshot/{snapshot_id}',
    section: '4.8',
    summary: 'Rename or describe a snapshot',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({ dataset_id: datasetId, snapshot_id: field.uuid, name, description: description.optional() }),
    output: snapshot,
    errors: ['invalid_request', 'not_found', 'feature_disabled', 'disk_full'],
  }),
  restore_snapshot: defineOperation({
    ...feature,
    method: 'POST',
    path: '/dataset/{dataset_id}/snapshot/{snapshot_id}/restore',
    section: '4.8',
    summary: 'Put a snapshot, or `current`, the one made or restored last, in the place of all that a dataset holds',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({ dataset_id: datasetId, snapshot_id: z.union([z.literal('current'), field.uuid]) }),
    output: z.undefined(),
    reply: 'empty',
    status: 202,
    errors: ['not_found', 'feature_disabled', 'conflict', 'disk_full'],
  }),
  clone_snapshot: defineOperation({
    ...feature,
    method: 'POST',
    path: '/dataset/{dataset_id}/snapshot/{snapshot_id}/clone',
    section: '4.8',
    summary: 'Make a dataset of its own from a snapshot',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({ dataset_id: datasetId, snapshot_id: field.uuid }),
    output: z.undefined(),
    reply: 'empty',
    status: 202,
    errors: ['not_found', 'feature_disabled', 'conflict', 'disk_full'],
  }),
  delete_snapshot: defineOperation({
    ...feature,
    method: 'DELETE',
    path: '/dataset/{dataset_id}/snapshot/{snapshot_id}',
    section: '4.8',
    summary: 'Delete a snapshot, but not the current one',
    permission: 'dataset:edit',
    input: z.object({ dataset_id: datasetId, snapshot_id: field.uuid }),
    output: z.undefined(),
    reply: 'empty',
    errors: ['not_found', 'feature_disabled', 'conflict', 'disk_full'],
  }),
};
