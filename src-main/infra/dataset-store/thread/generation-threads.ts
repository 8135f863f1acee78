import { AppError } from '../../../contract/errors.ts';
import type { Message } from '../../../contract/messages.ts';
import type { Log } from '../../../core/ports/log.ts';
import { noteSlowCall } from '../../../core/ports/slow-calls.ts';
import { SEMI_SPACE_LIMIT } from '../../semi-space.ts';
import { Thread } from '../../threads/thread.ts';
import { type VectorMemories, vectorMemories } from '../../vectors/built-in/vector-memories.ts';
import type { ReaderStart, StoreLocation } from './store-location.ts';

const IDLE_CLOSE_MS = 5 * 60_000;
/** A task that takes files in calls the writer more often than this; the writer knows how far it has got. */
const WRITER_RESTS_MS = 60_000;

/** Served beside the methods of the store, which are called by `subject.method`. */
interface Writer {
  /** Brings the files up to date, so that readers can open them. */
  open(): Promise<void>;
}

export interface GenerationOptions {
  entries: { writer: string; reader: string };
  location: StoreLocation;
  /** How many threads read it when it is opened now. */
  nReaders: () => number;
  log: Log;
  /** A call is about to open threads that were closed. */
  onOpen: (generation: GenerationThreads) => void;
  /** A call found the database damaged. */
  onDamaged: (reason: Message) => void;
}

/**
 * One generation of one dataset with a thread that writes and one or more that read the same database beside it. They start with the first
 * call and end when long idle, or when {@link close} is called; the next call starts them again.
 */
export class GenerationThreads {
  readonly #options: GenerationOptions;
  readonly #writer: Thread<Writer>;
  readonly #readers: Thread<object>[] = [];
  /** Of the threads that read; given up with them. */
  #memories: VectorMemories | undefined;
  #opened: Promise<void> | undefined;
  #idle: NodeJS.Timeout | undefined;
  readonly #calls = new Set<Promise<unknown>>();
  #usedAt = Number.NEGATIVE_INFINITY;
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(options: GenerationOptions) {
    this.#options = options;
    const { entries } = options;
    this.#writer = this.#thread<Writer>(entries.writer, 'dataset-writer', () => options.location);
  }

  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  get isInUse(): boolean {
    return this.#calls.size > 0 || performance.now() - this.#writtenAt < WRITER_RESTS_MS;
  }

  /** When it was last called, in milliseconds of `performance.now()`. */
  get usedAt(): number {
    return this.#usedAt;
  }

  /** Ends all threads after the calls before; the writer last, which leaves one file of the database's three. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    this.#opened = undefined;
    await Promise.allSettled(this.#calls);
    const memories = this.#memories;
    await Promise.all(this.#readers.map((reader) => reader.close()));
    if (this.#memories === memories) this.#memories = undefined;
    await this.#writer.close();
  }

  /** Calls a method of a reader. @param key `subject.method`. */
  read(key: string, args: unknown[]): Promise<unknown> {
    return this.#inUse(async () => {
      await this.#open();
      const [first, ...others] = this.#readers;
      const idlest = others.reduce((best, reader) => (best && best.nWaiting <= reader.nWaiting ? best : reader), first);
      return idlest?.call(key, args);
    });
  }

  /** Calls a method of the writer. @param key `subject.method`. */
  write(key: string, args: unknown[]): Promise<unknown> {
    return this.#inUse(async () => {
      await this.#open();
      try {
        return await this.#writer.call(key, args);
      } finally {
        this.#writtenAt = performance.now();
      }
    });
  }

  #open(): Promise<void> {
    if (this.#opened) return this.#opened;
    this.#options.onOpen(this);
    this.#keepReaders(this.#options.nReaders());
    const opened = this.#writer.calls.open();
    this.#opened = opened;
    opened.catch(() => {
      if (this.#opened === opened) this.#opened = undefined;
    });
    return opened;
  }

  async #inUse<Value>(work: () => Promise<Value>): Promise<Value> {
    clearTimeout(this.#idle);
    this.#usedAt = performance.now();
    const call = work();
    this.#calls.add(call);
    try {
      return await call;
    } catch (error) {
      if (error instanceof AppError && error.code === 'damaged') this.#options.onDamaged(error.reason);
      throw error;
    } finally {
      this.#calls.delete(call);
      if (this.#calls.size === 0) this.#idle = setTimeout(() => void this.close(), IDLE_CLOSE_MS).unref();
    }
  }

  /** Threads start with their first call. */
  #keepReaders(count: number): void {
    for (const reader of this.#readers.splice(count)) void reader.close();
    while (this.#readers.length < count) {
      this.#readers.push(this.#thread(this.#options.entries.reader, 'dataset-reader', () => this.#readerStart()));
    }
  }

  #readerStart(): ReaderStart {
    this.#memories ??= vectorMemories();
    return { ...this.#options.location, memories: this.#memories };
  }

  #thread<Port extends object>(entryFile: string, name: string, workerData: () => unknown): Thread<Port> {
    const { location, log } = this.#options;
    const { dataset_id } = location;
    return new Thread<Port>({
      entryFile,
      name,
      workerData,
      resourceLimits: SEMI_SPACE_LIMIT,
      onFailure: (error) => log.error({ err: error, dataset_id, thread: name }, 'a thread of a dataset failed'),
      onAnswered: (method, ms) => noteSlowCall(log, `${name}.${method}`, ms),
    });
  }
}
