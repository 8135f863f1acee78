import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { GenerationFile } from '../../../core/ports/state-file.ts';
import type {
  GenerationState,
  SpaceAddress,
  SpaceState,
  VectorEngine,
  VectorEngineCapabilities,
} from '../../../core/ports/vector-engine.ts';
import { EXACT_ROWS } from './build-lists.ts';
import { BuiltInCollection } from './built-in-collection.ts';
import { INDEX_FOLDER, indexFiles } from './index-files.ts';
import { segmentsOf, vectorsFolder } from './segments-of.ts';
import { sharedVectorMemory } from './shared-vectors.ts';
import { LARGEST_DIM } from './vector-bank.ts';
import type { VectorMemories } from './vector-memories.ts';

interface Parts {
  /** The generation's folder. */
  folder: string;
  /** Memory for vectors that all reader threads share (default: the engine's own). */
  memories?: VectorMemories | undefined;
  /** If missing, all stored rows are searched. */
  state?: GenerationState | undefined;
  /** Maximum number of rows that are searched exactly (default {@link EXACT_ROWS}). */
  exactRows?: number;
  /** Maximum size of vectors that a job holds in memory (default {@link thirdOfMemory}). */
  mostHeldBytes?: number;
}

/** Stores the vectors of a generation in files of its folder, and searches them in memory. */
export class BuiltInEngine implements VectorEngine {
  readonly capabilities: VectorEngineCapabilities = {
    max_dim: LARGEST_DIM,
    search_recall: 0.97,
    neighbor_recall: 0.97,
  };
  readonly #parts: Parts;
  readonly #open = new Map<string, BuiltInCollection>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  open(address: SpaceAddress): BuiltInCollection {
    const { folder, memories, state, exactRows = EXACT_ROWS } = this.#parts;
    const { space, entity_type, encoder_id, dim, epoch = '' } = address;
    if (dim > LARGEST_DIM) throw new Error(`vectors of more than ${LARGEST_DIM} dimensions are not supported`);
    const key = JSON.stringify([space, entity_type, encoder_id, dim, epoch]);
    const known = this.#open.get(key);
    if (known) return known;
    const collection = new BuiltInCollection({
      folder,
      vectors_folder: vectorsFolder(folder, space, entity_type),
      address,
      exactRows,
      mostHeldBytes: this.#parts.mostHeldBytes ?? thirdOfMemory(),
      memory: () => memories?.[space][entity_type] ?? sharedVectorMemory(),
      indexed: state && (() => state.indexed(space, entity_type)),
      state: () => state?.vectorsState() ?? 0,
    });
    this.#open.set(key, collection);
    return collection;
  }

  async listFiles(space: SpaceAddress, { rows, index }: SpaceState): Promise<GenerationFile[]> {
    const { folder } = this.#parts;
    const ofIndex = index === undefined ? [] : Object.values(indexFiles('', space, index));
    return [
      ...segmentsOf(folder, space, rows),
      // A missing index file is damage that an inspection reports; the index is then built again.
      ...ofIndex
        .filter((path) => existsSync(join(folder, path)))
        .map((path) => ({ path, bytes: 0, is_growing: false })),
    ];
  }

  /** Searches read the files. */
  deleteCopy(): Promise<void> {
    return Promise.resolve();
  }

  async drop({ space, entity_type }: Pick<SpaceAddress, 'space' | 'entity_type'>): Promise<void> {
    await this.close();
    const { folder } = this.#parts;
    await rm(vectorsFolder(folder, space, entity_type), { recursive: true, force: true });
    const index = join(folder, INDEX_FOLDER);
    const stem = new RegExp(`^${space}-${entity_type}-\\d+\\.(knn|lists)`);
    if (!existsSync(index)) return;
    for (const name of await readdir(index)) if (stem.test(name)) await rm(join(index, name));
  }

  async close(): Promise<void> {
    for (const collection of this.#open.values()) collection.close();
    this.#open.clear();
  }
}

/**
 * A third of the memory that this process may use: a job needs up to half as much again beside the vectors, and other programs need some.
 */
function thirdOfMemory(): number {
  const limit = process.constrainedMemory();
  return Math.min(totalmem(), limit > 0 ? limit : Number.POSITIVE_INFINITY) / 3;
}
