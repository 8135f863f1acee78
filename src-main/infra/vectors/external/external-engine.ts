import { AppError } from '../../../contract/errors.ts';
import { message } from '../../../contract/messages.ts';
import type { EngineConnection, ExternalKind } from '../../../core/ports/external-engine.ts';
import type { GenerationFile } from '../../../core/ports/state-file.ts';
import type {
  SpaceAddress,
  SpaceState,
  VectorCollection,
  VectorEngine,
  VectorEngineCapabilities,
} from '../../../core/ports/vector-engine.ts';
import type { BuiltInEngine } from '../built-in/built-in-engine.ts';
import { ExternalCollection } from './external-collection.ts';
import { IndexRecordFiles } from './index-record.ts';
import type { PointIndex } from './point-index.ts';

const CLIENTS = {
  qdrant: async (connection) => new (await import('../qdrant/qdrant-points.ts')).QdrantPoints(connection),
  pgvector: async (connection) => new (await import('../pgvector/pgvector-points.ts')).PgvectorPoints(connection),
} as const satisfies Record<ExternalKind, (connection: EngineConnection) => Promise<PointIndex>>;

interface Parts {
  /** The generation's folder. */
  folder: string;
  connection: EngineConnection;
  /** Records the vectors, and does everything except searches. */
  builtIn: BuiltInEngine;
}

/** Lets an external engine search the spaces of a generation that were copied to it; the vectors are in the generation's folder. */
export class ExternalEngine implements VectorEngine {
  readonly capabilities: VectorEngineCapabilities;
  readonly #parts: Parts;
  readonly #points: PointIndex;

  constructor(parts: Parts) {
    const { connection, builtIn } = parts;
    this.#parts = parts;
    this.capabilities = { ...builtIn.capabilities, search_recall: Math.min(0.95, builtIn.capabilities.search_recall) };
    this.#points = openedLate(connection);
  }

  open(address: SpaceAddress): VectorCollection {
    const { folder, builtIn } = this.#parts;
    const records = new IndexRecordFiles(folder, address);
    return new ExternalCollection({
      local: builtIn.open(address),
      records,
      kind: this.#kind,
      points: this.#points,
    });
  }

  /** The vectors are in the folder; what the external engine has is copied there again from these files. */
  listFiles(space: SpaceAddress, state: SpaceState): Promise<GenerationFile[]> {
    return this.#parts.builtIn.listFiles(space, state);
  }

  async drop(space: Pick<SpaceAddress, 'space' | 'entity_type'>): Promise<void> {
    await this.deleteCopy(space);
    await this.#parts.builtIn.drop(space);
  }

  /** Deletes the copy that the external engine has of a space; one in an engine that is no longer configured stays behind. */
  async deleteCopy(space: Pick<SpaceAddress, 'space' | 'entity_type'>): Promise<void> {
    const records = new IndexRecordFiles(this.#parts.folder, space);
    const record = records.find();
    if (record?.kind === this.#kind) await this.#points.drop(record.collection);
    records.delete();
  }

  get #kind(): ExternalKind {
    return this.#parts.connection.kind;
  }

  async close(): Promise<void> {
    await this.#points.close();
    await this.#parts.builtIn.close();
  }
}

/**
 * Opens the client of an engine with its first call, since most threads never need one, and reports every failure as `unavailable`, whatever
 * the client throws.
 */
function openedLate(connection: EngineConnection): PointIndex {
  const { kind } = connection;
  let opened: Promise<PointIndex> | undefined;
  const reported = async <Value>(use: (points: PointIndex) => Promise<Value>): Promise<Value> => {
    try {
      opened ??= CLIENTS[kind](connection);
      return await use(await opened);
    } catch (cause) {
      const error = new AppError('unavailable', message('vector_engine_unavailable', { engine: kind }));
      error.cause = cause;
      throw error;
    }
  };
  return {
    create: (...args) => reported((points) => points.create(...args)),
    exists: (...args) => reported((points) => points.exists(...args)),
    upsert: (...args) => reported((points) => points.upsert(...args)),
    remove: (...args) => reported((points) => points.remove(...args)),
    finish: (...args) => reported((points) => points.finish(...args)),
    search: (...args) => reported((points) => points.search(...args)),
    drop: (...args) => reported((points) => points.drop(...args)),
    close: async () => (await opened)?.close(),
  };
}
