import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { datasetSource, watchedFolder } from '../schemas/watched-folder.ts';

const datasetId = field.uuid;
const watchId = field.uuid;
const exclude = z.array(z.string().trim().min(1).max(500)).max(100);

/** Watched folders, and changing the path of a referenced folder. */
export const watchedFolderOperations = {
  list_watched_folders: defineOperation({
    method: 'GET',
    path: '/dataset/{dataset_id}/watched_folders',
    section: 'own',
    summary: 'Watched folders, whose changes are imported automatically',
    input: z.object({ dataset_id: datasetId }),
    output: z.object({ watched_folders: z.array(watchedFolder) }),
    errors: ['not_found'],
  }),
  add_watched_folder: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/watched_folders',
    section: 'own',
    summary: 'Watch a folder: imports its present and future files',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({
      dataset_id: datasetId,
      path: field.requiredLocation,
      exclude: exclude.default([]),
    }),
    output: watchedFolder,
    errors: ['invalid_request', 'forbidden', 'not_found', 'conflict'],
  }),
  update_watched_folder: defineOperation({
    method: 'PATCH',
    path: '/dataset/{dataset_id}/watched_folders/{watch_id}',
    section: 'own',
    summary: 'Pause or resume watching, or change the excluded patterns',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({
      dataset_id: datasetId,
      watch_id: watchId,
      paused: field.boolean.optional(),
      exclude: exclude.optional(),
    }),
    output: watchedFolder,
    errors: ['not_found'],
  }),
  rescan_watched_folder: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/watched_folders/{watch_id}/rescan',
    section: 'own',
    summary: 'Scan the whole folder now',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({ dataset_id: datasetId, watch_id: watchId }),
    output: watchedFolder,
    status: 202,
    errors: ['not_found'],
  }),
  remove_watched_folder: defineOperation({
    method: 'DELETE',
    path: '/dataset/{dataset_id}/watched_folders/{watch_id}',
    section: 'own',
    summary: 'Stop watching; imported items stay',
    permission: 'dataset:edit',
    input: z.object({ dataset_id: datasetId, watch_id: watchId }),
    output: z.object({ removed: z.literal(true), watch_id: z.string() }),
    errors: ['not_found'],
  }),
  list_sources: defineOperation({
    method: 'GET',
    path: '/dataset/{dataset_id}/sources',
    section: 'own',
    summary: 'Folders that a dataset references, and whether they are reachable',
    input: z.object({ dataset_id: datasetId }),
    output: z.object({ sources: z.array(datasetSource) }),
    errors: ['not_found'],
  }),
  move_source: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/sources/{source_id}/move',
    section: 'own',
    summary: 'Change the path of a referenced folder; ids, vectors and clusters stay',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({
      dataset_id: datasetId,
      source_id: z.string().min(1),
      path: field.requiredLocation,
    }),
    output: datasetSource,
    errors: ['invalid_request', 'forbidden', 'not_found', 'conflict'],
  }),
};
