import type { VectorEngine } from '../../core/ports/vector-engine.ts';
import { BuiltInEngine, type SharedState } from './built-in/built-in-engine.ts';
import type { VectorMemories } from './built-in/vector-memories.ts';

/** Where the vectors of a generation are; plain data that goes to threads and jobs. */
export interface EngineLocation {
  /** The generation's folder. */
  folder: string;
}

/** Opens the engine that has the vectors of a generation. The only place that chooses between engines. */
export function openVectorEngine(
  { folder }: EngineLocation,
  shared: { memories?: VectorMemories; state?: SharedState } = {},
): VectorEngine {
  return new BuiltInEngine({ folder, ...shared });
}
