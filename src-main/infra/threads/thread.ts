import { type ResourceLimits, Worker } from 'node:worker_threads';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { CallsUnderWay } from './calls-under-way.ts';
import { answer, methodOf, type ThreadMessage } from './thread-messages.ts';
import type { ServedMethods } from './thread-port.ts';

export interface ThreadOptions {
  /** Path of the built worker, which calls `serveThread`. */
  entryFile: string;
  name: string;
  /** Called at every start of the thread. */
  workerData?: () => unknown;
  resourceLimits?: ResourceLimits;
  /** Methods of this side that the thread may call. */
  methods?: ServedMethods;
  /** A call that is not answered within `ms` milliseconds ends the thread. */
  patience?: { ms: number; error: () => Error };
  /** Converts a thread's failure to the error of its waiting calls (default: the failure itself). */
  asError?: (error: Error) => Error;
  /** Called when the thread ended without being asked to, after its waiting calls were rejected. */
  onFailure?: (error: Error) => void;
  /** Receives the duration of each call as seen by the caller, including the wait for previous calls. */
  onAnswered?: (method: string, ms: number) => void;
}

/** One run of the worker. */
interface Running {
  worker: Worker;
  underWay: CallsUnderWay;
}

/**
 * The owner's side of a thread that answers calls. The thread starts with the first call. When it dies, waiting calls are rejected and the
 * next call starts a new one.
 */
export class Thread {
  readonly #options: ThreadOptions;
  #running: Running | undefined;
  /** Settles when the previous run has ended; the next run starts after it. */
  #closing: Promise<unknown> | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  get nWaiting(): number {
    return this.#running?.underWay.size ?? 0;
  }

  /** Ends the thread after the previous calls: ONNX Runtime aborts the process if `terminate()` interrupts a search. */
  async close(): Promise<void> {
    const worker = this.#release();
    if (!worker) return;
    this.#closing = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage({ kind: 'close' } satisfies ThreadMessage);
    await this.#closing;
    this.#closing = undefined;
  }

  /** Ends the thread at once; waiting calls are rejected. */
  async end(): Promise<void> {
    await this.#release()?.terminate();
  }

  /**
   * Calls a method of the thread.
   * @param method `subject.method`; see {@link callsOf} for typed calls.
   * @throws the thread's AppErrors, and `unavailable` when the thread was closed.
   */
  async call(method: string, args: unknown[]): Promise<unknown> {
    await this.#closing;
    this.#running ??= this.#start();
    const { worker, underWay } = this.#running;
    const { patience, onAnswered } = this.#options;
    const started = performance.now();
    const giveUp = () => {
      underWay.abandon(patience?.error());
      void this.end();
    };
    const timer = patience && setTimeout(giveUp, patience.ms);
    try {
      return await underWay.make((call) => worker.postMessage(call), method, args);
    } finally {
      clearTimeout(timer);
      onAnswered?.(method, performance.now() - started);
    }
  }

  #start(): Running {
    const { entryFile, name, workerData, resourceLimits, methods = {}, asError, onFailure } = this.#options;
    const worker = new Worker(entryFile, {
      name,
      workerData: workerData?.(),
      ...(resourceLimits && { resourceLimits }),
    });
    const running: Running = { worker, underWay: new CallsUnderWay() };
    const fail = (error: Error) => {
      running.underWay.abandon(asError?.(error) ?? error);
      if (this.#running !== running) return;
      this.#running = undefined;
      onFailure?.(error);
    };
    worker.on('message', (message: ThreadMessage) => {
      if (message.kind === 'answer') running.underWay.settle(message);
      else if (message.kind === 'call') {
        const run = () => methodOf(methods, message.method)(...message.args);
        void answer(message, run).then((reply) => worker.postMessage(reply));
      }
    });
    worker.on('error', fail);
    worker.on('exit', () => fail(new AppError('unavailable', message('thread_closed', { name }))));
    return running;
  }

  #release(): Worker | undefined {
    const worker = this.#running?.worker;
    this.#running = undefined;
    return worker;
  }
}
