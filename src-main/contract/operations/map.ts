import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { ENTITY_TYPES } from '../schemas/explore.ts';
import { MAP_COLOURS, mapItems, mapView } from '../schemas/map.ts';
import { filters } from '../schemas/media-selection.ts';

const window = {
  /** Upper left corner and side of a square, which may reach beyond the map (default: the whole map). */
  x: field.blankAsDefault(field.number(-10, 10), 0),
  y: field.blankAsDefault(field.number(-10, 10), 0),
  side: field.blankAsDefault(field.number(1e-6, 20), 1),
};
const entityType = field.blankAsDefault(z.enum(ENTITY_TYPES), 'IMAGES');

/** The map of a dataset: a 2-D projection of its embeddings. */
export const mapOperations = {
  get_map: defineOperation({
    method: 'GET',
    forScreen: true,
    path: '/explore/{dataset_id}/map',
    section: 'own',
    summary:
      'Map: positions of items on a plane where similar items are near, with colours; large maps as density per cell',
    input: z.object({
      dataset_id: field.uuid,
      entity_type: entityType,
      colour: field.blankAsDefault(z.enum(MAP_COLOURS), 'cluster'),
      /** Name of the custom field for `field`; for `label`, the only label to colour. */
      colour_by: field.blankAsAbsent(z.string()),
      /** Cluster level; default: the finest whose largest clusters, as many as there are colours, have half of the items. */
      threshold: field.blankAsAbsent(field.integer(0, 4)),
      ...window,
      ...filters,
    }),
    output: mapView,
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable'],
  }),
  list_map_items: defineOperation({
    method: 'GET',
    forScreen: true,
    path: '/explore/{dataset_id}/map/items',
    section: 'own',
    summary: 'Matching items in part of the map, nearest to its centre first',
    input: z.object({
      dataset_id: field.uuid,
      entity_type: entityType,
      ...window,
      limit: field.integer(1, 500).default(100),
      ...filters,
    }),
    output: mapItems,
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable'],
  }),
  lay_out_map: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/lay_out_map',
    section: 'own',
    summary: 'Compute map positions of newly indexed items; indexing starts this automatically',
    permission: 'dataset:edit',
    input: z.object({ dataset_id: field.uuid }),
    output: z.object({ task_id: z.string() }),
    status: 202,
    errors: ['not_found', 'conflict'],
  }),
};
