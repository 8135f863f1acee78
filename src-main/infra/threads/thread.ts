import { type ResourceLimits, Worker } from 'node:worker_threads';
import { AppError } from '../../contract/errors.ts';
import { CallsUnderWay } from './calls-under-way.ts';
import { remote } from './remote.ts';
import { answer, methodOf, type ThreadMessage } from './thread-messages.ts';

export interface ThreadOptions {
  /** The built worker, which calls `serveThread`. */
  entryFile: string;
  name: string;
  /** Asked for at every start. */
  workerData?: () => unknown;
  resourceLimits?: ResourceLimits;
  /** What the thread may call of this side. */
  methods?: object;
  /** A call that is not answered within this time ends the thread. */
  patience?: { ms: number; error: () => Error };
  /** What waiting calls are told of a thread that failed; its own error by default. */
  asError?: (error: Error) => Error;
  /** Hears of a thread that ended without having been asked to; what waited for it is told already. */
  onFailure?: (error: Error) => void;
  /** Hears how long each call took from the caller's side, waiting for those before it included. */
  onAnswered?: (method: string, ms: number) => void;
}

/** One run of a thread's program. */
interface Running {
  worker: Worker;
  underWay: CallsUnderWay;
}

/**
 * The owner's side of a thread that answers calls. It starts with the first call; when it dies, what waits is rejected and the next call
 * starts another.
 */
export class Thread<Port extends object> {
  /** The thread's methods. They reject with the thread's AppErrors, and with `unavailable` when it was closed. */
  readonly calls: Port;
  readonly #options: ThreadOptions;
  #running: Running | undefined;
  /** The end of the run before; the next one starts after it. */
  #closing: Promise<unknown> | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.calls = remote<Port>((method, args) => this.call(method, args));
  }

  get nWaiting(): number {
    return this.#running?.underWay.size ?? 0;
  }

  /** Lets the thread end after the calls before: ONNX Runtime aborts the process if `terminate()` meets it in a search. */
  async close(): Promise<void> {
    const worker = this.#letGo();
    if (!worker) return;
    this.#closing = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage({ kind: 'close' } satisfies ThreadMessage);
    await this.#closing;
    this.#closing = undefined;
  }

  /** Ends the thread at once; what waits is rejected. */
  async end(): Promise<void> {
    await this.#letGo()?.terminate();
  }

  /** As {@link calls}, by name. */
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
        const run = () => methodOf([methods], message.method)(...message.args);
        void answer(message, run).then((reply) => worker.postMessage(reply));
      }
    });
    worker.on('error', fail);
    worker.on('exit', () => fail(new AppError('unavailable', `The thread ${name} was closed`)));
    return running;
  }

  #letGo(): Worker | undefined {
    const worker = this.#running?.worker;
    this.#running = undefined;
    return worker;
  }
}
