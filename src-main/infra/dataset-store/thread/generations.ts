import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import type { Message } from '../../../contract/messages.ts';
import type { Log } from '../../../core/ports/log.ts';
import { collectGarbageSoon } from '../../threads/collect-garbage.ts';
import { OpenLimit } from '../../threads/open-limit.ts';
import { createEngineMemories, type EngineMemories } from '../../vectors/open-engine.ts';
import { datasetMigrations } from '../schema/migrations.ts';
import { ReaderPool } from './reader-pool.ts';
import type { StoreLocation } from './store-location.ts';
import { WriterThreads } from './writer-threads.ts';

/** Milliseconds without a read after which a generation is closed. */
const IDLE_CLOSE_MS = 5 * 60_000;
/**
 * Offset of `user_version` in the header of an SQLite file, and the length of the header, in bytes (SQLite, "Database File Format", 1.3).
 */
const [USER_VERSION_AT, HEADER_BYTES] = [60, 100];

export interface GenerationLocation extends StoreLocation {
  generation: number;
}

export interface GenerationsOptions {
  entries: { writer: string; reader: string };
  /** Maximum number of generations open for reading. */
  maxOpen: () => number;
  /** Number of threads that read all generations. */
  nReaders: () => number;
  /** Called when a call finds the database damaged. */
  onDamaged: (location: GenerationLocation, reason: Message) => void;
  log: Log;
}

/**
 * Reads and writes generations of datasets: one pool of threads reads all generations, and each written generation has its own writer
 * thread.
 */
export class Generations {
  readonly #options: GenerationsOptions;
  readonly #readers: ReaderPool;
  readonly #writers: WriterThreads;
  /** Vector memories by generation, shared by the threads that read it. */
  readonly #memories = new Map<string, EngineMemories>();
  /** Generations whose files are known to be up to date. */
  readonly #upToDate = new Set<string>();
  readonly #open: OpenLimit;

  constructor(options: GenerationsOptions) {
    const { entries, log } = options;
    this.#options = options;
    this.#readers = new ReaderPool({ entryFile: entries.reader, nThreads: options.nReaders, log });
    this.#writers = new WriterThreads({
      entryFile: entries.writer,
      onOpened: (key) => this.#upToDate.add(key),
      log,
    });
    this.#open = new OpenLimit({
      limit: options.maxOpen,
      idleMs: IDLE_CLOSE_MS,
      close: async (key) => {
        await this.#readers.closeGeneration(key);
        this.#memories.delete(key);
        collectGarbageSoon();
      },
    });
  }

  /** Calls a method of the reader side. @param locate Returns the generation to read; what it throws is thrown. */
  read(locate: () => GenerationLocation, method: string, args: unknown[]): Promise<unknown> {
    return this.#onPresent(locate, (location, assertPresent) => {
      const { dataset_id, dataFolder, folder, engineConnection, folder: key } = location;
      return this.#open.use(key, async (hasWaited) => {
        if (hasWaited) assertPresent();
        await this.#bringUpToDate(location);
        const start = () => ({ dataset_id, dataFolder, folder, engineConnection, memories: this.#memoriesOf(key) });
        return this.#readers.read(key, start, method, args);
      });
    });
  }

  /** Calls a method of the writer side. @param locate As for {@link read}. */
  write(locate: () => GenerationLocation, method: string, args: unknown[]): Promise<unknown> {
    return this.#onPresent(locate, (location, assertPresent) =>
      this.#writers.call(location.folder, location, method, args, assertPresent),
    );
  }

  /**
   * Closes all generations of a dataset except the folders in `kept`, after their calls. The writer closes last: when the last connection that may write
   * closes, SQLite leaves one file of the database's three.
   */
  async closeBelow(datasetFolder: string, kept: readonly string[] = []): Promise<void> {
    const open = new Set([...this.#open.keys, ...this.#writers.keys, ...this.#upToDate]);
    for (const folder of open) {
      if (kept.includes(folder) || dirname(folder) !== datasetFolder) continue;
      await this.#open.close(folder);
      await this.#writers.close(folder);
      this.#upToDate.delete(folder);
    }
  }

  /** Opens readers and writers again for their next calls, with changed settings. */
  async renew(): Promise<void> {
    await Promise.all([this.#open.renew(), this.#writers.renew()]);
  }

  async closeAll(): Promise<void> {
    await this.#open.closeAll();
    await this.#writers.closeAll();
    await this.#readers.close();
  }

  /** Starts the writer if files of the generation are missing or of an older version. Otherwise reading needs no writer. */
  async #bringUpToDate(location: GenerationLocation): Promise<void> {
    const { folder } = location;
    if (this.#upToDate.has(folder)) return;
    const latest = datasetMigrations.at(-1)?.version;
    if ((await schemaVersion(join(folder, 'data.db'))) === latest) this.#upToDate.add(folder);
    else await this.#writers.open(folder, location);
  }

  #memoriesOf(key: string): EngineMemories {
    const memories = this.#memories.get(key) ?? createEngineMemories();
    this.#memories.set(key, memories);
    return memories;
  }

  /**
   * Runs a call on a generation, and runs it again if that generation was replaced while the call waited for room.
   * @param call Calls `assertPresent` when it has waited; a generation with a running call is not deleted.
   */
  async #onPresent(
    locate: () => GenerationLocation,
    call: (location: GenerationLocation, assertPresent: () => void) => Promise<unknown>,
  ): Promise<unknown> {
    for (;;) {
      const location = locate();
      const assertPresent = () => {
        if (locate().folder !== location.folder) throw new ReplacedError();
      };
      try {
        return await call(location, assertPresent);
      } catch (error) {
        if (error instanceof ReplacedError) continue;
        if (error instanceof AppError && error.code === 'damaged') this.#options.onDamaged(location, error.reason);
        throw error;
      }
    }
  }
}

/** The generation of a call was replaced while the call waited. */
class ReplacedError extends Error {}

/**
 * Returns the schema version in the header of a database file, or undefined if it cannot be read. The write-ahead log may have a newer one.
 */
async function schemaVersion(file: string): Promise<number | undefined> {
  try {
    const handle = await open(file, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
      return bytesRead === HEADER_BYTES ? buffer.readUInt32BE(USER_VERSION_AT) : undefined;
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
