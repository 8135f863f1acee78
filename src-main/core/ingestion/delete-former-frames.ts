import type { DatasetService } from '../datasets/dataset.service.ts';
import type { FrameFile } from '../ports/dataset-files.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';
import type { KeptOriginals } from '../ports/files.ts';
import type { Log } from '../ports/log.ts';

const keyOf = ({ batch_id, location }: FrameFile) => `${batch_id}/${location}`;

/**
 * Deletes the images of frames that the dataset's videos no longer consist of. Copies of the dataset may still show them: what one of
 * them uses stays noted until a later batch, and so does all while one of them is being made. A crash in between leaves the notes.
 */
export async function deleteFormerFrames(
  { dataset_id, signal }: { dataset_id: string; signal: AbortSignal },
  store: DatasetStore,
  parts: { datasets: DatasetService; originals: KeptOriginals; log: Log },
): Promise<void> {
  const { datasets, originals, log } = parts;
  const former = await store.write.listFormerFrames();
  if (former.length === 0) return;
  const batchIds = [...new Set(former.map(({ batch_id }) => batch_id))];
  const holders = datasets.listHoldersOf(batchIds);
  if (holders.some(({ status_new }) => status_new === 'INDEXING' || status_new === 'ERROR')) return;
  const used = new Set<string>();
  for (const holder of holders) {
    const holding = holder.dataset_id === dataset_id ? store : datasets.storeOf(holder);
    for (const frame of await holding.read.listUsedFrames(former)) used.add(keyOf(frame));
  }
  const unused = former.filter((frame) => !used.has(keyOf(frame)));
  signal.throwIfAborted();
  try {
    for (const batchId of batchIds) {
      const locations = unused.flatMap((frame) => (frame.batch_id === batchId ? [frame.location] : []));
      await originals.removeFiles(batchId, locations);
    }
  } catch (error) {
    log.warn({ dataset_id, err: error }, 'former frames could not be deleted');
    return;
  }
  await store.write.forgetFormerFrames(unused);
}
