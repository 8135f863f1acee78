import { parentPort } from 'node:worker_threads';
import { CallsUnderWay } from './calls-under-way.ts';
import { remote } from './remote.ts';
import { answer, methodOf, type ThreadMessage } from './thread-messages.ts';

interface Served {
  /** What answers calls; asked for with every call, so that it may be opened by the first. */
  methods: () => readonly object[];
  /** One call after the other, in the order in which they came; else beside each other. */
  inOrder: boolean;
  /** Runs a call. */
  around?: (run: () => unknown) => unknown;
  /** Turns what a call threw into what the owner is told. */
  asError?: (caught: unknown) => unknown;
  /** The owner wants no more. */
  onClose?: () => void;
}

/**
 * The thread's side of {@link Thread}.
 * @returns The owner's methods.
 */
export function serveThread<Owner extends object>({ methods, inOrder, around, asError, onClose }: Served): Owner {
  const port = parentPort;
  if (!port) throw new Error('runs as a worker thread only');
  const post = (message: ThreadMessage) => port.postMessage(message);
  const underWay = new CallsUnderWay();
  let before: Promise<unknown> = Promise.resolve();

  const handle = async (message: Exclude<ThreadMessage, { kind: 'answer' }>): Promise<void> => {
    if (message.kind === 'close') {
      onClose?.();
      port.close();
      return;
    }
    const run = () => methodOf(methods(), message.method)(...message.args);
    post(await answer(message, () => (around ? around(run) : run()), asError));
  };

  port.on('message', (message: ThreadMessage) => {
    if (message.kind === 'answer') underWay.settle(message);
    else if (inOrder || message.kind === 'close') before = before.then(() => handle(message));
    else before = Promise.all([before, handle(message)]);
  });
  return remote<Owner>((method, args) => underWay.make(post, method, args));
}
