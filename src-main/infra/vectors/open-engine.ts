import type { GenerationState, VectorEngine } from '../../core/ports/vector-engine.ts';
import { BuiltInEngine } from './built-in/built-in-engine.ts';
import { vectorMemories } from './built-in/vector-memories.ts';
import { ExternalEngine } from './external/external-engine.ts';
import type { EngineConnection, ExternalKind } from './external/point-index.ts';

/** Location of a generation's vectors; plain data that is sent to threads and jobs. */
export interface EngineLocation {
  kind: EngineKind;
  /** The generation's folder. */
  folder: string;
  /** The configured external engine; undefined for none. */
  connection?: EngineConnection | undefined;
}

/** Memory that the engines of all threads reading a generation share. It occupies no space until it is used. */
export type EngineMemories = ReturnType<typeof createEngineMemories>;

interface Shared {
  memories?: EngineMemories;
  state?: GenerationState;
}

type Open<Engine> = (location: EngineLocation, shared: Shared) => Engine;

function builtIn({ folder }: EngineLocation, { memories, state }: Shared): BuiltInEngine {
  return new BuiltInEngine({ folder, state, memories: memories?.builtIn });
}

function external(kind: ExternalKind): Open<ExternalEngine> {
  return (location, shared) =>
    new ExternalEngine({
      folder: location.folder,
      kind,
      connection: location.connection,
      builtIn: builtIn(location, shared),
    });
}

/** The engines, by the name that a generation's database holds. */
const ENGINES = {
  'built-in': builtIn,
  qdrant: external('qdrant'),
  pgvector: external('pgvector'),
} as const satisfies Record<string, Open<VectorEngine>>;

export type EngineKind = keyof typeof ENGINES;

export function createEngineMemories() {
  return { builtIn: vectorMemories() };
}

/** Opens the engine that stores the vectors of a generation. @throws Error for an engine that this version does not have. */
export function openVectorEngine(location: EngineLocation, shared: Shared = {}): VectorEngine {
  const open: Open<VectorEngine> | undefined = ENGINES[location.kind];
  if (!open) throw new Error(`this version has no vector engine "${location.kind}"`);
  return open(location, shared);
}
