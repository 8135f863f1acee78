import type { DatasetService } from '../datasets/dataset.service.ts';
import type { FormerFrame, FrameFile } from '../ports/dataset-files.ts';
import type { KeptOriginals } from '../ports/files.ts';
import type { Log } from '../ports/log.ts';
import type { SnapshotRepository } from './snapshot.repository.ts';

const keyOf = ({ batch_id, location }: FrameFile) => `${batch_id}/${location}`;

/** Images of frames that the videos of a dataset no longer consist of. */
export class FormerFramesService {
  readonly #datasets: DatasetService;
  readonly #originals: KeptOriginals;
  readonly #rows: SnapshotRepository;
  readonly #log: Log;

  constructor(parts: { datasets: DatasetService; originals: KeptOriginals; rows: SnapshotRepository; log: Log }) {
    this.#datasets = parts.datasets;
    this.#originals = parts.originals;
    this.#rows = parts.rows;
    this.#log = parts.log;
  }

  /**
   * Deletes those that nothing shows. Copies of the dataset and snapshots may: what one of them has stays noted until a later batch, or until
   * a snapshot is deleted, and so does all while a copy is being made. A crash in between leaves the notes.
   */
  async sweep(datasetId: string, signal?: AbortSignal): Promise<void> {
    const dataset = this.#datasets.find(datasetId);
    if (!dataset) return;
    const store = this.#datasets.storeOf(dataset);
    const former = await store.write.listFormerFrames();
    if (former.length === 0) return;
    const batchIds = [...new Set(former.map(({ batch_id }) => batch_id))];
    const holders = this.#datasets.listHoldersOf(batchIds);
    if (holders.some(({ status_new }) => status_new === 'INDEXING' || status_new === 'ERROR')) return;
    const used = new Set<string>();
    for (const holder of holders) {
      for (const frame of await this.#datasets.storeOf(holder).read.listUsedFrames(former)) used.add(keyOf(frame));
    }
    const ofSnapshots = this.#rows.listMediaFolders(batchIds);
    const unused = former.filter(
      (frame) => !used.has(keyOf(frame)) && !ofSnapshots.some((held) => mayShow(held, frame)),
    );
    signal?.throwIfAborted();
    try {
      for (const batchId of batchIds) {
        const locations = unused.flatMap((frame) => (frame.batch_id === batchId ? [frame.location] : []));
        await this.#originals.removeFiles(batchId, locations);
      }
    } catch (error) {
      this.#log.warn({ dataset_id: datasetId, err: error }, 'former frames could not be deleted');
      return;
    }
    await store.write.forgetFormerFrames(unused);
  }
}

/**
 * Whether a snapshot may show a frame. What is in it is not looked at: one that has the folder of the frames that took their place was made
 * later.
 * @param held Media folders of the snapshot.
 */
function mayShow(held: readonly string[], { batch_id, replaced_in }: FormerFrame): boolean {
  return held.includes(batch_id) && (replaced_in === null || !held.includes(replaced_in));
}
