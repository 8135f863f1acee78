import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import {
  agreement,
  COMPARED,
  DEFAULT_AGREEMENT_CONFIDENCE,
  LABEL_GROUPS,
  labelGroups,
  SCATTER_NUMBERS,
  scatter,
} from '../schemas/charts.ts';
import { ENTITY_TYPES } from '../schemas/explore.ts';
import { filters } from '../schemas/media-selection.ts';

const entityType = field.blankAsDefault(z.enum(ENTITY_TYPES), 'IMAGES');
/** `field:` and the name of a custom field of numbers or times, or a number that every item has. */
const number = z
  .string()
  .refine(
    (name) => name.startsWith('field:') || SCATTER_NUMBERS.some((one) => one === name),
    `expected ${SCATTER_NUMBERS.join(', ')} or field:NAME`,
  );
const errors = ['invalid_request', 'not_found', 'conflict', 'unavailable'] as const;

/** Numbers of charts. Labels, sizes, dates and custom fields one by one are facets. */
export const chartOperations = {
  get_scatter: defineOperation({
    method: 'GET',
    forScreen: true,
    path: '/explore/{dataset_id}/charts/scatter',
    section: 'own',
    summary: 'Number of matching items by two of their numbers',
    alsoByPost: true,
    input: z.object({ dataset_id: field.uuid, entity_type: entityType, x: number, y: number, ...filters }),
    output: scatter,
    errors: [...errors],
  }),
  get_label_groups: defineOperation({
    method: 'GET',
    forScreen: true,
    path: '/explore/{dataset_id}/charts/label_groups',
    section: 'own',
    summary: 'Number of matching items with each label by folder, tag, or value of a custom field such as the split',
    alsoByPost: true,
    input: z.object({
      dataset_id: field.uuid,
      entity_type: entityType,
      by: z.enum(LABEL_GROUPS),
      /** Name of the custom field for `by=field`. */
      field_name: field.blankAsAbsent(z.string()),
      ...filters,
    }),
    output: labelGroups,
    errors: [...errors],
  }),
  get_agreement: defineOperation({
    method: 'GET',
    forScreen: true,
    path: '/explore/{dataset_id}/charts/agreement',
    section: 'own',
    summary: 'Annotated against predicted: confusion matrix, precision and recall by class, confidences',
    alsoByPost: true,
    input: z.object({
      dataset_id: field.uuid,
      entity_type: entityType,
      /** Default: objects if any are both annotated and predicted, else labels. */
      compared: field.blankAsAbsent(z.enum(COMPARED)),
      confidence_min: field.blankAsDefault(field.number(0, 1), DEFAULT_AGREEMENT_CONFIDENCE),
      ...filters,
    }),
    output: agreement,
    errors: [...errors],
  }),
};
