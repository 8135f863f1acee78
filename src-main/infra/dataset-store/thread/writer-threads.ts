import type { Log } from '../../../core/ports/log.ts';
import { noteSlowCall } from '../../../core/ports/slow-calls.ts';
import { SEMI_SPACE_LIMIT } from '../../semi-space.ts';
import { OpenLimit } from '../../threads/open-limit.ts';
import { Spare } from '../../threads/spare.ts';
import { Thread } from '../../threads/thread.ts';
import { callsOf } from '../../threads/thread-port.ts';
import type { StoreLocation } from './store-location.ts';
import { WRITER } from './thread-ports.ts';

/** Maximum number of datasets written at the same time. */
const MAX_WRITERS = 8;
/** Milliseconds without a call after which a generation, or a thread without one, is closed. A running task calls more often. */
const IDLE_CLOSE_MS = 60_000;
/**
 * When a generation is opened, others without a call for so many milliseconds are closed and leave their thread to it, except the last ones.
 */
const QUIET_MS = 1000;
const KEPT_QUIET = 2;

interface WriterThreadsOptions {
  entryFile: string;
  /** Called when the files of a generation are up to date. */
  onOpened: (key: string) => void;
  log: Log;
}

/** One thread for each generation that is being written. A thread whose generation is closed can write the next one. */
export class WriterThreads {
  readonly #options: WriterThreadsOptions;
  readonly #threads = new Map<string, Promise<Thread>>();
  /** Generations by thread. */
  readonly #written = new Map<Thread, { key: string; dataset_id: string }>();
  readonly #spare = new Spare(() => this.#create(), IDLE_CLOSE_MS);
  readonly #limit = new OpenLimit({
    limit: () => MAX_WRITERS,
    idleMs: IDLE_CLOSE_MS,
    mayClose: async (key) => {
      const thread = await this.#threads.get(key);
      return thread === undefined || isAtRest(thread);
    },
    close: async (key) => {
      const thread = await this.#threads.get(key);
      this.#threads.delete(key);
      if (!thread) return;
      this.#written.delete(thread);
      await this.#release(thread);
    },
  });

  constructor(options: WriterThreadsOptions) {
    this.#options = options;
  }

  /** Keys of the generations that have a writer. */
  get keys(): string[] {
    return this.#limit.keys;
  }

  /** Opens the writer of a generation, which brings its files up to date. */
  async open(key: string, location: StoreLocation): Promise<void> {
    await this.call(key, location, 'writer.open', [location]);
  }

  /**
   * Calls a method of the writer of a generation, after earlier calls.
   * @param afterWait Called when the call had to wait for room; what it throws is thrown.
   */
  call(
    key: string,
    location: StoreLocation,
    method: string,
    args: unknown[],
    afterWait: () => void = () => undefined,
  ): Promise<unknown> {
    return this.#limit.use(key, async (hasWaited) => {
      if (hasWaited) afterWait();
      const open = this.#threads.get(key) ?? this.#open(key, location);
      this.#threads.set(key, open);
      return (await open).call(method, args);
    });
  }

  /** Closes the writer of a generation, after its calls. */
  close(key: string): Promise<void> {
    return this.#limit.close(key);
  }

  /** Opens generations again for their next calls; one that reads a file continues. */
  renew(): Promise<void> {
    return this.#limit.renew();
  }

  async closeAll(): Promise<void> {
    await this.#limit.closeAll();
    await this.#spare.close();
  }

  async #open(key: string, location: StoreLocation): Promise<Thread> {
    // Another generation that cannot be closed does not concern this one.
    if (!this.#spare.isThere) await this.#limit.closeQuiet(QUIET_MS, KEPT_QUIET).catch(() => undefined);
    const thread = this.#spare.take();
    this.#written.set(thread, { key, dataset_id: location.dataset_id });
    const opened = callsOf(WRITER, thread)
      .open(location)
      .then(() => this.#options.onOpened(key));
    // The call meets the error too.
    opened.catch(() => undefined);
    return thread;
  }

  /** Keeps one thread for the next generation; one that read a file ends with it. */
  async #release(thread: Thread): Promise<void> {
    const isFree = (await isAtRest(thread)) && (await hasClosed(thread));
    return isFree ? this.#spare.putBack(thread) : thread.close();
  }

  #create(): Thread {
    const { entryFile, log } = this.#options;
    const thread: Thread = new Thread({
      entryFile,
      name: 'dataset-writer',
      resourceLimits: SEMI_SPACE_LIMIT,
      onFailure: (error) => {
        const { key, dataset_id } = this.#written.get(thread) ?? {};
        if (key !== undefined) this.#threads.delete(key);
        this.#written.delete(thread);
        log.error({ err: error, dataset_id }, 'a thread that writes datasets failed');
      },
      onAnswered: (method, ms) => noteSlowCall(log, `dataset-writer.${method}`, ms),
    });
    return thread;
  }
}

function isAtRest(thread: Thread): Promise<boolean> {
  return callsOf(WRITER, thread)
    .isAtRest()
    .catch(() => true);
}

/** Closes the generation of a thread. @returns Whether that succeeded. */
function hasClosed(thread: Thread): Promise<boolean> {
  return callsOf(WRITER, thread)
    .close()
    .then(
      () => true,
      () => false,
    );
}
