import type { Log } from '../../../core/ports/log.ts';
import { noteSlowCall } from '../../../core/ports/slow-calls.ts';
import { SEMI_SPACE_LIMIT } from '../../semi-space.ts';
import { OpenLimit } from '../../threads/open-limit.ts';
import { Thread } from '../../threads/thread.ts';
import { callsOf } from '../../threads/thread-port.ts';
import type { StoreLocation } from './store-location.ts';
import { WRITER } from './thread-ports.ts';

/** Maximum number of datasets written at the same time. */
const MAX_WRITERS = 8;
/** Milliseconds without a call after which a writer thread is closed. A running task calls more often. */
const IDLE_CLOSE_MS = 60_000;

interface WriterThreadsOptions {
  entryFile: string;
  /** Called when the files of a generation are up to date. */
  onOpened: (key: string) => void;
  log: Log;
}

/** One thread for each generation that is being written. */
export class WriterThreads {
  readonly #options: WriterThreadsOptions;
  readonly #threads = new Map<string, Thread>();
  readonly #limit = new OpenLimit({
    limit: () => MAX_WRITERS,
    idleMs: IDLE_CLOSE_MS,
    mayClose: async (key) => {
      const thread = this.#threads.get(key);
      return (
        thread === undefined ||
        (await callsOf(WRITER, thread)
          .isAtRest()
          .catch(() => true))
      );
    },
    close: async (key) => {
      const thread = this.#threads.get(key);
      this.#threads.delete(key);
      await thread?.close();
    },
  });

  constructor(options: WriterThreadsOptions) {
    this.#options = options;
  }

  /** Keys of the generations that have a writer. */
  get keys(): string[] {
    return this.#limit.keys;
  }

  /** Starts the writer of a generation, which brings its files up to date. */
  open(key: string, location: StoreLocation): Promise<void> {
    return callsOf(WRITER, { call: (method, args) => this.call(key, location, method, args) }).open();
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
      let thread = this.#threads.get(key);
      if (!thread) {
        thread = this.#create(location);
        this.#threads.set(key, thread);
        const opened = callsOf(WRITER, thread)
          .open()
          .then(() => this.#options.onOpened(key));
        // The call meets the error too.
        opened.catch(() => undefined);
      }
      return thread.call(method, args);
    });
  }

  /** Ends the writer thread of a generation, after its calls. */
  close(key: string): Promise<void> {
    return this.#limit.close(key);
  }

  /** Starts threads again for their next calls; one that reads a file continues. */
  renew(): Promise<void> {
    return this.#limit.renew();
  }

  closeAll(): Promise<void> {
    return this.#limit.closeAll();
  }

  #create(location: StoreLocation): Thread {
    const { entryFile, log } = this.#options;
    const { dataset_id } = location;
    return new Thread({
      entryFile,
      name: 'dataset-writer',
      workerData: () => location,
      resourceLimits: SEMI_SPACE_LIMIT,
      onFailure: (error) => log.error({ err: error, dataset_id }, 'the thread that writes a dataset failed'),
      onAnswered: (method, ms) => noteSlowCall(log, `dataset-writer.${method}`, ms),
    });
  }
}
