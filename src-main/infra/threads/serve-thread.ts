import { parentPort } from 'node:worker_threads';
import { CallsUnderWay } from './calls-under-way.ts';
import { movedWith } from './hand-over.ts';
import { answer, methodOf, type ThreadCall, type ThreadMessage } from './thread-messages.ts';
import { callsOf, type ServedMethods, type ThreadPort } from './thread-port.ts';

interface Served<Owner extends object> {
  /** Methods that answer calls. A function is called at every call with the name of its method, so that a call may open them. */
  methods: ServedMethods | ((method: string) => ServedMethods);
  /** Methods of the owner that the thread calls. */
  owner?: ThreadPort<Owner>;
  /** Whether calls run one after the other, in order of arrival; otherwise they run concurrently. */
  inOrder: boolean;
  /** Converts an error that a call threw to the error that the owner receives. */
  asError?: (caught: unknown) => unknown;
  /** Runs after the last call. */
  onClose?: () => unknown;
}

/**
 * The worker's side of {@link Thread}.
 * @returns The owner's methods.
 */
export function serveThread<Owner extends object>({ methods, owner, inOrder, asError, onClose }: Served<Owner>): Owner {
  const port = parentPort;
  if (!port) throw new Error('runs as a worker thread only');
  const post = (message: ThreadMessage) =>
    port.postMessage(message, message.kind === 'answer' && message.ok ? movedWith(message.value) : []);
  const underWay = new CallsUnderWay();
  let before: Promise<unknown> = Promise.resolve();

  const answerCall = async (call: ThreadCall): Promise<void> => {
    const served = () => (typeof methods === 'function' ? methods(call.method) : methods);
    post(await answer(call, () => methodOf(served(), call.method)(...call.args), asError));
  };
  const close = async (): Promise<void> => {
    await onClose?.();
    port.close();
  };

  port.on('message', (message: ThreadMessage) => {
    if (message.kind === 'answer') underWay.settle(message);
    else if (message.kind === 'close') before = before.then(close);
    else if (inOrder) before = before.then(() => answerCall(message));
    else before = Promise.all([before, answerCall(message)]);
  });
  return callsOf(owner ?? { subject: '', methods: [] }, { call: (method, args) => underWay.make(post, method, args) });
}
