import type { Log } from '../../../core/ports/log.ts';
import { noteSlowCall } from '../../../core/ports/slow-calls.ts';
import { SEMI_SPACE_LIMIT } from '../../semi-space.ts';
import { Thread } from '../../threads/thread.ts';
import { callsOf } from '../../threads/thread-port.ts';
import type { ReaderStart } from './store-location.ts';
import { READER } from './thread-ports.ts';

/** Milliseconds after which a thread without open generations ends. */
const THREAD_IDLE_MS = 10_000;

interface PooledThread {
  thread: Thread;
  /** Number of unanswered calls. */
  nCalls: number;
  opened: Map<string, Promise<void>>;
}

/** The threads that read datasets; each thread can read any dataset. Threads start on demand and end when they have no open generation. */
export class ReaderPool {
  readonly #options: { entryFile: string; nThreads: () => number; log: Log };
  #threads: PooledThread[] = [];

  constructor(options: { entryFile: string; nThreads: () => number; log: Log }) {
    this.#options = options;
  }

  /** Calls a method in the least busy thread, preferring threads that have the generation open. */
  async read(key: string, start: () => ReaderStart, method: string, args: unknown[]): Promise<unknown> {
    const pooled = this.#choose(key);
    const startedMs = performance.now();
    pooled.nCalls += 1;
    try {
      await this.#open(pooled, key, start);
      return await callsOf(READER, pooled.thread).read(key, method, args);
    } finally {
      pooled.nCalls -= 1;
      noteSlowCall(this.#options.log, `dataset-reader.${method}`, performance.now() - startedMs);
    }
  }

  /** Closes a generation in all threads, after earlier calls. */
  async closeGeneration(key: string): Promise<void> {
    await Promise.all(
      this.#threads.map(async (pooled) => {
        if (!pooled.opened.delete(key)) return;
        await callsOf(READER, pooled.thread)
          .close(key)
          .catch(() => undefined);
        setTimeout(() => endIfIdle(pooled), THREAD_IDLE_MS).unref();
      }),
    );
  }

  /** Ends all threads, after earlier calls. */
  async close(): Promise<void> {
    const threads = this.#threads;
    this.#threads = [];
    await Promise.all(threads.map(({ thread }) => thread.close()));
  }

  #choose(key: string): PooledThread {
    const nThreads = this.#options.nThreads();
    for (const { thread } of this.#threads.splice(nThreads)) void thread.close();
    while (this.#threads.length < nThreads) this.#threads.push(this.#create());
    const cost = ({ nCalls, opened }: PooledThread) => nCalls + (opened.has(key) ? 0 : 0.5);
    return this.#threads.reduce((best, one) => (cost(one) < cost(best) ? one : best));
  }

  async #open(pooled: PooledThread, key: string, start: () => ReaderStart): Promise<void> {
    let opened = pooled.opened.get(key);
    if (!opened) {
      opened = callsOf(READER, pooled.thread).open(key, start());
      pooled.opened.set(key, opened);
      const forget = () => {
        if (pooled.opened.get(key) === opened) pooled.opened.delete(key);
      };
      opened.catch(forget);
    }
    await opened;
  }

  #create(): PooledThread {
    const { entryFile, log } = this.#options;
    const opened = new Map<string, Promise<void>>();
    const thread = new Thread({
      entryFile,
      name: 'dataset-reader',
      resourceLimits: SEMI_SPACE_LIMIT,
      onFailure: (error) => {
        opened.clear();
        log.error({ err: error }, 'a thread that reads datasets failed');
      },
    });
    return { thread, nCalls: 0, opened };
  }
}

function endIfIdle({ thread, nCalls, opened }: PooledThread): void {
  if (nCalls === 0 && opened.size === 0) void thread.close();
}
