import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { PLACEMENTS, vectorPlacement } from '../schemas/vectors.ts';

/** Where the vectors of a dataset are searched. */
export const vectorOperations = {
  get_vector_placement: defineOperation({
    method: 'GET',
    path: '/dataset/{dataset_id}/vector_placement',
    section: 'own',
    summary: 'Where the vectors of a dataset are searched: in its files, or in an external vector engine',
    input: z.object({ dataset_id: field.uuid }),
    output: vectorPlacement,
    errors: ['not_found', 'conflict'],
  }),
  place_vectors: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/vector_placement',
    section: 'own',
    summary:
      'Copy the vectors of a dataset to the external vector engine, which then searches them, or delete the copy',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({ dataset_id: field.uuid, placement: z.enum(PLACEMENTS) }),
    output: z.object({ task_id: z.string() }),
    status: 202,
    errors: ['invalid_request', 'not_found', 'conflict'],
  }),
};
