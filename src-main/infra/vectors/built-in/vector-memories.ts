import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import { EMBEDDING_SPACES, type EmbeddingSpace } from '../../../core/ports/vector-space.ts';
import { type SharedMemory, sharedVectorMemory } from './shared-vectors.ts';

/** Memory for the vectors of each space and entity type of a generation, shared by all threads that read it. */
export type VectorMemories = Record<EmbeddingSpace, Record<EntityType, SharedMemory>>;

/** Creates memories that occupy no space until vectors are read into them. */
export function vectorMemories(): VectorMemories {
  const ofSpace = () => recordOf(ENTITY_TYPES, sharedVectorMemory);
  return recordOf(EMBEDDING_SPACES, ofSpace);
}

function recordOf<Key extends string, Value>(keys: readonly Key[], make: () => Value): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, make()])) as Record<Key, Value>;
}
