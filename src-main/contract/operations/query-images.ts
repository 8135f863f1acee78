import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { ENTITY_TYPES } from '../schemas/explore.ts';
import { queryImage, queryImageAnchor, region } from '../schemas/query-image.ts';

const datasetId = field.uuid;
const entityType = z.enum(ENTITY_TYPES).default('IMAGES');

/** Maximum size of a query image. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** Interface 4.5: images that a dataset's items are compared with. */
export const queryImageOperations = {
  search_image_similarity: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/search-image-similarity',
    section: '4.5',
    summary: 'Upload a query image, the anchor of a visual search in Explore',
    body: 'form',
    query: ['entity_type', 'threshold', 'bounding_box'],
    files: { file: 'one' },
    maxFileBytes: MAX_FILE_BYTES,
    input: z.object({
      dataset_id: datasetId,
      entity_type: entityType,
      threshold: field.blankAsAbsent(field.integer(0, 4)),
      bounding_box: field.blankAsAbsent(region),
      file: field.uploadedFile,
    }),
    output: queryImageAnchor,
    errors: ['invalid_request', 'not_found', 'conflict', 'too_large', 'unavailable', 'disk_full'],
  }),
  search_region: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/search-region',
    section: 'own',
    summary: 'Use a part of an item as a query image',
    body: 'json',
    input: z.object({ dataset_id: datasetId, media_id: field.uuid, entity_type: entityType, bounding_box: region }),
    output: queryImageAnchor,
    errors: ['invalid_request', 'not_found', 'conflict', 'too_large', 'unavailable'],
  }),
  get_query_image: defineOperation({
    method: 'GET',
    path: '/dataset/{dataset_id}/query-image/{anchor_media_id}',
    section: 'own',
    summary: 'A query image',
    input: z.object({ dataset_id: datasetId, anchor_media_id: field.uuid }),
    output: queryImage,
    errors: ['not_found'],
  }),
};
