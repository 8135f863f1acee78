import type { EngineConnection } from '../../core/ports/external-engine.ts';
import type { GenerationState, VectorEngine } from '../../core/ports/vector-engine.ts';
import { BuiltInEngine } from './built-in/built-in-engine.ts';
import { vectorMemories } from './built-in/vector-memories.ts';
import { ExternalEngine } from './external/external-engine.ts';

/** Location of a generation's vectors; plain data that is sent to threads and jobs. */
export interface EngineLocation {
  kind: EngineKind;
  /** The generation's folder. */
  folder: string;
  /** The configured external engine, which searches the spaces that were copied to it; undefined for none. */
  connection?: EngineConnection | undefined;
}

/** Memory that the engines of all threads reading a generation share. It occupies no space until it is used. */
export type EngineMemories = ReturnType<typeof createEngineMemories>;

interface Shared {
  memories?: EngineMemories;
  state?: GenerationState;
}

/** The engines, by the name that a generation's database holds. */
const ENGINES = {
  'built-in': ({ folder, connection }, { memories, state }) => {
    const builtIn = new BuiltInEngine({ folder, state, memories: memories?.builtIn });
    return connection ? new ExternalEngine({ folder, connection, builtIn }) : builtIn;
  },
} as const satisfies Record<string, Open>;

type Open = (location: EngineLocation, shared: Shared) => VectorEngine;

export type EngineKind = keyof typeof ENGINES;

export function createEngineMemories() {
  return { builtIn: vectorMemories() };
}

/** Opens the engine that stores the vectors of a generation. @throws Error for an engine that this version does not have. */
export function openVectorEngine(location: EngineLocation, shared: Shared = {}): VectorEngine {
  const open: Open | undefined = ENGINES[location.kind];
  if (!open) throw new Error(`this version has no vector engine "${location.kind}"`);
  return open(location, shared);
}
