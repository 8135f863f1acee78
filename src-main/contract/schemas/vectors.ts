import { z } from 'zod';
import { ENTITY_TYPES } from './explore.ts';

/** `built-in`: searches read the dataset's files. `external`: the engine at VECTOR_ENGINE_URL has a copy and searches it. */
export const PLACEMENTS = ['built-in', 'external'] as const;
export type Placement = (typeof PLACEMENTS)[number];

export const vectorPlacement = z.object({
  placement: z.enum(PLACEMENTS),
  /** Kind of the external engine; null while the built-in one searches. */
  engine: z.enum(['qdrant', 'pgvector']).nullable(),
  spaces: z.array(
    z.object({
      space: z.enum(['looks', 'meaning']),
      entity_type: z.enum(ENTITY_TYPES),
      n_rows: z.int(),
      /** Rows that the external engine searches; the others are compared here. */
      n_copied: z.int(),
    }),
  ),
});
