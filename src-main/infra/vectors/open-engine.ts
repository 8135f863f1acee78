import type { GenerationState, VectorEngine } from '../../core/ports/vector-engine.ts';
import { BuiltInEngine } from './built-in/built-in-engine.ts';
import type { VectorMemories } from './built-in/vector-memories.ts';

/** Location of a generation's vectors; plain data that is sent to threads and jobs. */
export interface EngineLocation {
  /** The generation's folder. */
  folder: string;
}

/** Opens the engine that stores the vectors of a generation. The only function that selects an engine. */
export function openVectorEngine(
  { folder }: EngineLocation,
  shared: { memories?: VectorMemories; state?: GenerationState } = {},
): VectorEngine {
  return new BuiltInEngine({ folder, ...shared });
}
