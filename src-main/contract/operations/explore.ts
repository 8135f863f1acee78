import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import {
  clusterPage,
  DEFAULT_THRESHOLD,
  ENTITY_TYPES,
  EXPLORED_TYPES,
  explorationMetadata,
  exploreResult,
} from '../schemas/explore.ts';
import { facets, ITEM_SORTS, itemPage } from '../schemas/facets.ts';
import { DEFAULT_LABEL_CONFIDENCE, image } from '../schemas/image.ts';
import { filters } from '../schemas/media-selection.ts';

const datasetId = field.uuid;
const entityType = field.blankAsDefault(z.enum(ENTITY_TYPES), 'IMAGES');
const exploredType = field.blankAsDefault(z.enum(EXPLORED_TYPES), 'IMAGES');
const threshold = field.blankAsDefault(field.integer(0, 4), DEFAULT_THRESHOLD);
/** Whether a text search omits results that do not stand out from the noise distribution. */
const withinCutOff = field.boolean.default(false);
/** Minimum confidence of labels from taggers; labels of annotation files and of users are always included. */
const labelConfidence = field.blankAsDefault(field.number(0, 1), DEFAULT_LABEL_CONFIDENCE);
const pageNumber = field.blankAsDefault(field.integer(0, 1_000_000_000), 0);

/** Interface 4.5, and operations on single items. */
export const exploreOperations = {
  explore: defineOperation({
    method: 'GET',
    forScreen: true,
    path: '/explore/{dataset_id}',
    section: '4.5',
    summary: 'Clusters of similar items, 100 per page; with an anchor, the most similar items first',
    alsoByPost: true,
    input: z.object({
      dataset_id: datasetId,
      entity_type: exploredType,
      threshold,
      page_number: pageNumber,
      within_cut_off: withinCutOff,
      /** Lists the clusters that people hid, instead of the others. Searches list all clusters. */
      hidden: field.boolean.default(false),
      ...filters,
    }),
    output: exploreResult,
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable'],
  }),
  find_similar: defineOperation({
    method: 'GET',
    forScreen: true,
    path: '/explore/{dataset_id}/similar/{media_id}',
    section: 'own',
    summary: 'Items most similar to an item of the dataset, best first',
    alsoByPost: true,
    input: z.object({
      dataset_id: datasetId,
      media_id: field.uuid,
      entity_type: exploredType,
      threshold,
      page_number: pageNumber,
      vql: filters.vql,
    }),
    output: exploreResult,
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable'],
  }),
  get_user_config: defineOperation({
    method: 'GET',
    path: '/user_config',
    section: 'compat',
    summary: 'Search features that a dataset supports',
    input: z.object({ dataset_id: datasetId }),
    output: z.object({
      features: z.array(
        z.object({
          feature_key: z.literal('TEXTUAL_SEARCH_IMAGE'),
          feature_options: z.object({
            labels_search: z.boolean(),
            captions_search: z.boolean(),
            semantic_search: z.boolean(),
            /** Embeddings that installed models can compare texts with; if empty, captions are searched by their words. */
            semantic_by: z.array(z.enum(['images', 'captions'])),
          }),
        }),
      ),
    }),
    errors: ['not_found'],
  }),
  get_exploration_metadata: defineOperation({
    method: 'GET',
    path: '/explore/{dataset_id}/exploration_metadata',
    section: 'compat',
    summary: 'Counts and labels of matching items, and the clusters of a page',
    alsoByPost: true,
    input: z.object({
      dataset_id: datasetId,
      entity_type: entityType,
      threshold,
      page_number: pageNumber,
      ...filters,
    }),
    output: explorationMetadata,
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable'],
  }),
  list_items: defineOperation({
    method: 'GET',
    forScreen: true,
    path: '/explore/{dataset_id}/items',
    section: 'own',
    summary: 'Matching items, objects or videos as a sorted list',
    alsoByPost: true,
    input: z.object({
      dataset_id: datasetId,
      entity_type: exploredType,
      /** Default: by score in scored queries, else by similarity. */
      sort_by: field.blankAsAbsent(z.enum(ITEM_SORTS)),
      /** Name of the custom field to sort by, for `sort_by` = `metadata`. */
      sort_field: field.blankAsAbsent(field.name),
      sort_order: field.blankAsDefault(z.enum(['asc', 'desc']), 'asc'),
      page_number: pageNumber,
      page_size: field.integer(1, 500).default(100),
      within_cut_off: withinCutOff,
      /** Whether each item has `details`: all other fields of a table. */
      details: field.boolean.default(false),
      /** Level of the clusters in `details`, and of the order by cluster. */
      threshold,
      ...filters,
    }),
    output: itemPage,
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable'],
  }),
  list_arrivals: defineOperation({
    method: 'GET',
    path: '/explore/{dataset_id}/arrivals',
    section: 'own',
    summary: 'Items in order of arrival, also during the first indexing',
    input: z.object({ dataset_id: datasetId, page_number: pageNumber, page_size: field.integer(1, 500).default(100) }),
    output: itemPage,
    errors: ['not_found', 'unavailable'],
  }),
  get_facets: defineOperation({
    method: 'GET',
    forScreen: true,
    path: '/explore/{dataset_id}/facets',
    section: 'own',
    summary: 'Counts of matching items by label, tag, folder, type, size and date',
    alsoByPost: true,
    input: z.object({
      dataset_id: datasetId,
      entity_type: exploredType,
      /** Minimum confidence of labels from models; default: that of the filter `labels`. */
      label_confidence: field.blankAsAbsent(field.number(0, 1)),
      ...filters,
    }),
    output: facets,
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable'],
  }),
  get_levels: defineOperation({
    method: 'GET',
    path: '/explore/{dataset_id}/levels',
    section: 'own',
    summary:
      'Number of clusters at each level, finest first, and the level to show first; empty until the dataset is indexed',
    input: z.object({ dataset_id: datasetId, entity_type: entityType }),
    output: z.object({
      levels: z.array(
        z.object({
          n_items: z.int(),
          n_clusters: z.int(),
          /** Number of clusters with one item. */
          n_singles: z.int(),
        }),
      ),
      /** `threshold` of the level whose clusters are the most distinct; 2 until the dataset is indexed. */
      default_threshold: z.int(),
    }),
    errors: ['not_found'],
  }),
  get_cluster: defineOperation({
    method: 'GET',
    forScreen: true,
    path: '/explore/{dataset_id}/cluster/{cluster_id}',
    section: 'own',
    summary: 'Matching items of a cluster, most typical first; in scored queries, nearest first',
    alsoByPost: true,
    input: z.object({
      dataset_id: datasetId,
      cluster_id: field.uuid,
      page_number: pageNumber,
      page_size: field.integer(1, 500).default(100),
      ...filters,
    }),
    output: clusterPage,
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable'],
  }),
  get_image: defineOperation({
    method: 'GET',
    path: '/image/{image_id}',
    section: 'compat',
    summary: 'One item by its id',
    permission: 'image:view',
    input: z.object({ image_id: field.uuid, label_confidence: labelConfidence }),
    output: image,
    errors: ['not_found'],
  }),
  get_dataset_image: defineOperation({
    method: 'GET',
    forScreen: true,
    path: '/dataset/{dataset_id}/image/{image_id}',
    section: 'compat',
    summary: 'One item of a dataset',
    input: z.object({ dataset_id: datasetId, image_id: field.uuid, label_confidence: labelConfidence }),
    output: image,
    errors: ['not_found'],
  }),
};
