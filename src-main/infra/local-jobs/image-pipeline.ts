import pMap, { pMapStop } from 'p-map';
import { message } from '../../contract/messages.ts';
import type { FailedImage } from '../../core/ports/image.ts';
import { ImageProblem } from '../images/image-problem.ts';
import type { JobContext } from './child-runtime.ts';

/** While one image is decoded on a library thread, the main thread hashes, measures or runs models on others. */
const DECODES_AT_ONCE = 2;

/** Maximum memory of decoded images that wait for their batch, which makes batches of large images smaller. */
const MAX_WAITING_BYTES = 64 * 2 ** 20;

/**
 * Reads images one by one and processes them in batches. Reports each item when it is finished; a file without a usable image is reported
 * as failed. Stops between items when the caller no longer waits.
 *
 * @param read Reads an image; an error fails that image.
 * @param finish Computes the results of a batch, in order; an error fails the job.
 * @param heldBytes Memory in bytes that an image occupies until its batch is finished, if that is much.
 */
export async function runImages<Item extends { key: number }, Read>(
  items: readonly Item[],
  batchSize: number,
  context: JobContext,
  {
    read,
    finish,
    heldBytes = () => 0,
  }: {
    read(item: Item): Promise<Read>;
    finish(batch: { item: Item; read: Read }[]): Promise<unknown[]>;
    heldBytes?(read: Read): number;
  },
): Promise<void> {
  const waiting: { index: number; item: Item; read: Read }[] = [];
  let waitingBytes = 0;

  const flush = async (): Promise<void> => {
    const batch = waiting.splice(0);
    waitingBytes = 0;
    if (batch.length === 0) return;
    await context.applying();
    const results = await finish(batch);
    for (const [at, { index }] of batch.entries()) context.finished(index, results[at]);
  };
  const readOne = async ([index, item]: [number, Item]): Promise<typeof pMapStop | undefined> => {
    if (context.signal.aborted) return pMapStop;
    await context.started(index);
    try {
      const made = await read(item);
      waiting.push({ index, item, read: made });
      waitingBytes += heldBytes(made);
    } catch (error) {
      context.finished(index, failureOf(item, error));
    }
    if (waiting.length >= batchSize || waitingBytes >= MAX_WAITING_BYTES) await flush();
    return undefined;
  };

  await pMap(items.entries(), readOne, { concurrency: DECODES_AT_ONCE });
  if (!context.signal.aborted) await flush();
}

/** Returns the failure of one item as shown to the user; the stack of an unexpected error is written to the log. */
export function failureOf(item: { key: number }, error: unknown): FailedImage {
  return { key: item.key, ok: false, ...reasonOf(error) };
}

export function reasonOf(error: unknown): Pick<FailedImage, 'kind' | 'reason'> {
  if (error instanceof ImageProblem) return { kind: error.kind, reason: error.reason };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${text}\n`);
  return { kind: 'unreadable', reason: message('file_unreadable') };
}
