import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { DEFAULT_DUPLICATE_LEVEL, duplicateList } from '../schemas/duplicates.ts';
import { filters } from '../schemas/media-selection.ts';

const { duplicate_threshold, ...others } = filters;

/** Groups of duplicates. */
export const duplicateOperations = {
  list_duplicates: defineOperation({
    method: 'GET',
    path: '/explore/{dataset_id}/duplicates',
    section: 'own',
    summary: 'Groups of duplicates at a confidence, largest first, each with the copy to keep',
    input: z.object({
      dataset_id: field.uuid,
      ...others,
      duplicate_threshold: duplicate_threshold.transform((value) => value ?? DEFAULT_DUPLICATE_LEVEL),
      page_number: field.integer(0, 1_000_000_000).default(0),
      page_size: field.integer(1, 100).default(20),
    }),
    output: duplicateList,
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable'],
  }),
  find_duplicates: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/find_duplicates',
    section: 'own',
    summary: 'Find duplicates among items that are not compared yet; indexing starts this automatically',
    permission: 'dataset:edit',
    input: z.object({ dataset_id: field.uuid }),
    output: z.object({ task_id: z.string() }),
    status: 202,
    errors: ['not_found', 'conflict'],
  }),
};
