import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { SNAPSHOT_CHANGE_KINDS, snapshot, snapshotChange } from '../schemas/snapshot.ts';

const datasetId = field.uuid;
const name = field.blankAsAbsent(field.name);
const description = z.string().trim().max(2000, 'must be at most 2000 characters');
const feature = {
  feature: 'DATASET_SNAPSHOTS_ENABLED',
  featureOffReason: 'snapshots_off',
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
    summary: 'Create a snapshot of a dataset; stores only what changed since the previous one',
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
    summary: 'Replace the contents of a dataset by a snapshot; `current` is the one created or restored last',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({
      dataset_id: datasetId,
      snapshot_id: z.union([z.literal('current'), field.uuid]),
      /** Ours: name of a snapshot of the present state, which is created first (default: none). Needs READY. */
      keep_as: field.blankAsAbsent(field.name),
    }),
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
    summary: 'Create an independent dataset from a snapshot',
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
    summary: 'Delete a snapshot; the current one cannot be deleted',
    permission: 'dataset:edit',
    input: z.object({ dataset_id: datasetId, snapshot_id: field.uuid }),
    output: z.undefined(),
    reply: 'empty',
    errors: ['not_found', 'feature_disabled', 'conflict', 'disk_full'],
  }),
  list_snapshot_changes: defineOperation({
    ...feature,
    method: 'GET',
    path: '/dataset/{dataset_id}/snapshot/{snapshot_id}/changes',
    section: 'own',
    summary: 'Differences between a snapshot and another one, or the present state',
    input: z.object({
      dataset_id: datasetId,
      snapshot_id: field.uuid,
      /** Snapshot to compare with (default: the present state of the dataset). */
      against: field.blankAsAbsent(field.uuid),
      kind: field.blankAsAbsent(z.enum(SNAPSHOT_CHANGE_KINDS)),
      page_number: field.integer(0, 1_000_000_000).default(0),
      page_size: field.integer(1, 500).default(100),
    }),
    output: z.object({
      counts: z.record(z.enum(SNAPSHOT_CHANGE_KINDS), z.int()),
      changes: z.array(snapshotChange),
      total: z.int(),
      page_number: z.int(),
      page_size: z.int(),
    }),
    errors: ['not_found', 'feature_disabled', 'conflict', 'damaged', 'storage_failed', 'disk_full'],
  }),
};
