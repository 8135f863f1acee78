import { parentPort } from 'node:worker_threads';
import { CallsUnderWay } from './calls-under-way.ts';
import { remote } from './remote.ts';
import { answer, methodOf, type ThreadCall, type ThreadMessage } from './thread-messages.ts';

/** Pieces that are made after this one are made for later calls: nobody waits for them. */
export const ENOUGH = Symbol('enough');

interface Served {
  /** What answers calls; asked for with every call, so that it may be opened by the first. */
  methods: () => readonly object[];
  /** One call after the other, in the order in which they came; else beside each other. */
  inOrder: boolean;
  /** Runs a call, or a piece of what comes ahead of it. */
  around?: (run: () => unknown) => unknown;
  /**
   * What a call needs that takes long, in pieces: calls that come meanwhile are answered between them. The call itself is answered after the
   * last, or where a piece yields {@link ENOUGH}. For calls in order; throws nothing.
   */
  ahead?: (method: string, args: readonly unknown[]) => Iterator<unknown> | undefined;
  /** Turns what a call threw into what the owner is told. */
  asError?: (caught: unknown) => unknown;
  /** The owner wants no more. */
  onClose?: () => void;
}

/**
 * The thread's side of {@link Thread}.
 * @returns The owner's methods.
 */
export function serveThread<Owner extends object>(served: Served): Owner {
  const { methods, inOrder, around = (run: () => unknown) => run(), ahead, asError, onClose } = served;
  const port = parentPort;
  if (!port) throw new Error('runs as a worker thread only');
  const post = (message: ThreadMessage) => port.postMessage(message);
  const underWay = new CallsUnderWay();
  let before: Promise<unknown> = Promise.resolve();
  let nPreparing = 0;
  let isClosed = false;
  const inTurn = (work: () => unknown) => {
    before = before.then(work);
  };

  const handle = async (message: Exclude<ThreadMessage, { kind: 'answer' }>): Promise<void> => {
    if (message.kind === 'close') {
      if (nPreparing > 0) return inTurn(() => handle(message));
      isClosed = true;
      onClose?.();
      port.close();
      return;
    }
    const run = () => methodOf(methods(), message.method)(...message.args);
    post(await answer(message, () => around(run), asError));
  };

  const makePiece = async (pieces: Iterator<unknown>): Promise<'last' | 'enough' | 'more'> => {
    let made: 'last' | 'enough' | 'more' = 'last';
    try {
      await around(() => {
        const { done, value } = pieces.next();
        made = done ? 'last' : value === ENOUGH ? 'enough' : 'more';
      });
      return made;
    } catch {
      // The call meets it too, and says so.
      return 'last';
    }
  };

  /** @param call Undefined once it is answered. */
  const prepare = async (call: ThreadCall | undefined, pieces: Iterator<unknown>): Promise<void> => {
    if (isClosed) return;
    const made = await makePiece(pieces);
    const isAnswered = call !== undefined && made !== 'more';
    if (isAnswered) {
      nPreparing -= 1;
      await handle(call);
    }
    if (made === 'last') return;
    // Messages that came meanwhile are read before the next piece.
    await new Promise((resolve) => setImmediate(resolve));
    inTurn(() => prepare(isAnswered ? undefined : call, pieces));
  };

  const begin = (message: Exclude<ThreadMessage, { kind: 'answer' }>): Promise<void> => {
    const pieces = message.kind === 'call' ? ahead?.(message.method, message.args) : undefined;
    if (message.kind === 'close' || !pieces) return handle(message);
    nPreparing += 1;
    return prepare(message, pieces);
  };

  port.on('message', (message: ThreadMessage) => {
    if (message.kind === 'answer') underWay.settle(message);
    else if (inOrder || message.kind === 'close') inTurn(() => begin(message));
    else before = Promise.all([before, handle(message)]);
  });
  return remote<Owner>((method, args) => underWay.make(post, method, args));
}
