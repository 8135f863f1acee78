import { AppError, DISK_FULL, isDiskFull } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { setClaimed, WorkPace } from '../giving-way/work-pace.ts';
import type { Borrow } from '../images/decode-memory.ts';
import { borrowedMemory } from './borrowed-memory.ts';
import type { FromChild, ToChild } from './child-protocol.ts';

/** Signals and reports of a running job. */
export interface JobContext {
  /** Aborts when the caller no longer waits; a handler then stops between items. */
  readonly signal: AbortSignal;
  /**
   * Reports that an item starts. Await it before the first byte of the item is read: the message has then been sent, so that an item which
   * kills this process is identified.
   */
  started(index: number): Promise<void>;
  /** Reports that models run from now on. Await it: a process that becomes silent after it is hung by a model, not by a file. */
  applying(): Promise<void>;
  /** Requests memory for decoded images from the budget that all processes share. */
  readonly borrow: Borrow;
  /** Sends the result of an item, which is not requested again. */
  finished(index: number, result: unknown): void;
  /** Await it between slices of background work, which then gives way: [Note: Who gives way]. */
  turn(): Promise<void>;
  /** Progress of the whole job, 0 to 1. */
  progress(fraction: number): void;
}

/** Runs one job and returns its result. A thrown AppError or a full disk reaches the caller; any other error becomes `internal`. */
export type JobHandler = (payload: unknown, context: JobContext) => Promise<unknown>;

/** Interval in ms between heartbeats of a process that runs a job. */
const HEARTBEAT_MS = 5_000;

interface ParentChannel {
  send(message: FromChild): void;
  onMessage(listener: (message: ToChild) => void): void;
}

/** The parts of Electron's ports that are used; `process.parentPort` exists only in a utility process. */
interface MessagePort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  on(event: 'close', listener: () => void): void;
  postMessage(message: unknown): void;
  start(): void;
}
interface ParentPort {
  once(event: 'message', listener: (event: { ports: MessagePort[] }) => void): void;
}

/**
 * Serves jobs of the given kinds to the core, which started this process by `child_process.fork` or as an Electron utility process, until it
 * is stopped or that process has ended.
 */
export function serveJobs(handlers: Readonly<Record<string, JobHandler>>): void {
  const channel = openParentChannel();
  const memory = borrowedMemory((message) => channel.send(message));
  const claimed = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const pace = new WorkPace(claimed);
  let current: { job_id: number; controller: AbortController } | undefined;

  const run = async (jobId: number, kind: string, payload: unknown): Promise<void> => {
    const controller = new AbortController();
    current = { job_id: jobId, controller };
    const send = async (message: FromChild): Promise<void> => {
      channel.send(message);
      await new Promise((resolve) => setImmediate(resolve));
    };
    const context: JobContext = {
      signal: controller.signal,
      borrow: memory.borrow,
      turn: () => pace.turn(),
      started: (index) => send({ type: 'item_started', job_id: jobId, index }),
      applying: () => send({ type: 'applying', job_id: jobId }),
      finished: (index, result) => channel.send({ type: 'item_result', job_id: jobId, index, result }),
      progress: (fraction) => channel.send({ type: 'progress', job_id: jobId, fraction }),
    };
    const beat = setInterval(() => channel.send({ type: 'alive', job_id: jobId }), HEARTBEAT_MS);
    const answer = await answerOf(handlers[kind], payload, context);
    clearInterval(beat);
    current = undefined;
    channel.send({ ...answer, job_id: jobId, rss_bytes: process.memoryUsage.rss() });
  };

  channel.onMessage((message) => {
    if (message.type === 'run') void run(message.job_id, message.kind, message.payload);
    else if (message.type === 'shutdown') process.exit(0);
    else if (message.type === 'pace') setClaimed(claimed, message.is_slow);
    else if (message.type === 'memory_lent') memory.lent(message.loan);
    else if (current?.job_id === message.job_id) current.controller.abort();
  });
  channel.send({ type: 'ready' });
}

type Answer = { type: 'job_done'; result: unknown } | Omit<FromChild & { type: 'job_failed' }, 'job_id' | 'rss_bytes'>;

async function answerOf(handler: JobHandler | undefined, payload: unknown, context: JobContext): Promise<Answer> {
  try {
    if (handler === undefined) throw new Error('No handler for this kind of job.');
    return { type: 'job_done', result: await handler(payload, context) };
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (error instanceof AppError) return { type: 'job_failed', code: error.code, reason: error.reason, stack };
    if (isDiskFull(error)) return { type: 'job_failed', code: 'disk_full', reason: DISK_FULL, stack };
    return { type: 'job_failed', code: 'internal', reason: message('compute_failed'), stack };
  }
}

function openParentChannel(): ParentChannel {
  const parent = Reflect.get(process, 'parentPort') as ParentPort | null | undefined;
  if (parent !== undefined && parent !== null) return openPortChannel(parent);
  if (process.send === undefined)
    throw new Error('A compute process is started by Vitrine and does nothing by itself.');
  // A clean exit waits for the decoding threads, which a hostile file can keep busy forever. No cleanup is needed.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  return {
    // A failed send means that the parent has ended, which 'disconnect' handles.
    send: (message) => process.send?.(message, undefined, {}, () => undefined),
    onMessage: (listener) => process.on('message', (message) => listener(message as ToChild)),
  };
}

/** In the desktop app the first message brings the port to the process of the core. The port closes when that process ends. */
function openPortChannel(parent: ParentPort): ParentChannel {
  const listeners: ((message: ToChild) => void)[] = [];
  const unsent: FromChild[] = [];
  let port: MessagePort | undefined;
  parent.once('message', ({ ports: [came] }) => {
    if (came === undefined) throw new Error('The first message to a compute process brings its port.');
    port = came;
    came.on('message', ({ data }) => {
      for (const listener of listeners) listener(data as ToChild);
    });
    came.on('close', () => process.kill(process.pid, 'SIGKILL'));
    came.start();
    for (const message of unsent) came.postMessage(message);
  });
  return {
    send: (message) => {
      if (port === undefined) unsent.push(message);
      else port.postMessage(message);
    },
    onMessage: (listener) => listeners.push(listener),
  };
}
