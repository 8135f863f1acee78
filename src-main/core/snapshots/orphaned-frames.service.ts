import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { MediaFolders } from '../media/media-folders.ts';
import type { FrameFile, OrphanedFrame } from '../ports/dataset-files.ts';
import type { StoredOriginals } from '../ports/files.ts';
import type { Log } from '../ports/log.ts';
import type { SnapshotRepository } from './snapshot.repository.ts';

const keyOf = ({ batch_id, location }: FrameFile) => `${batch_id}/${location}`;

/** Deletes frame images of replaced video content. */
export class OrphanedFramesService {
  readonly #datasets: DatasetCatalog;
  readonly #mediaFolders: MediaFolders;
  readonly #originals: StoredOriginals;
  readonly #rows: SnapshotRepository;
  readonly #log: Log;

  constructor(parts: {
    datasets: DatasetCatalog;
    mediaFolders: MediaFolders;
    originals: StoredOriginals;
    rows: SnapshotRepository;
    log: Log;
  }) {
    this.#datasets = parts.datasets;
    this.#mediaFolders = parts.mediaFolders;
    this.#originals = parts.originals;
    this.#rows = parts.rows;
    this.#log = parts.log;
  }

  /**
   * Deletes frames that neither the dataset, its copies nor its snapshots use. Other frames stay in the list until the next sweep, which
   * follows a batch or the deletion of a snapshot. Nothing is deleted while a copy is being made. The list survives a crash.
   */
  async sweep(datasetId: string, signal?: AbortSignal): Promise<void> {
    const dataset = this.#datasets.find(datasetId);
    if (!dataset) return;
    const store = this.#datasets.storeOf(dataset);
    const orphaned = await store.changes.listOrphanedFrames();
    if (orphaned.length === 0) return;
    const batchIds = [...new Set(orphaned.map(({ batch_id }) => batch_id))];
    const holders = this.#mediaFolders.listHolders(batchIds);
    if (holders.some(({ status_new }) => status_new === 'INDEXING' || status_new === 'ERROR')) return;
    const used = new Set<string>();
    for (const holder of holders) {
      for (const frame of await this.#datasets.storeOf(holder).changes.listUsedFrames(orphaned)) used.add(keyOf(frame));
    }
    const ofSnapshots = this.#rows.listMediaFolders(batchIds);
    const unused = orphaned.filter(
      (frame) => !used.has(keyOf(frame)) && !ofSnapshots.some((held) => mayShow(held, frame)),
    );
    signal?.throwIfAborted();
    try {
      for (const batchId of batchIds) {
        const locations = unused.flatMap((frame) => (frame.batch_id === batchId ? [frame.location] : []));
        await this.#originals.removeFiles(batchId, locations);
      }
    } catch (error) {
      this.#log.warn({ dataset_id: datasetId, err: error }, 'orphaned frames could not be deleted');
      return;
    }
    await store.changes.forgetOrphanedFrames(unused);
  }
}

/**
 * Whether a snapshot may use a frame, determined without opening the snapshot: a snapshot that has the media folder of the new frames is
 * newer than the replacement.
 * @param held Media folders of the snapshot.
 */
function mayShow(held: readonly string[], { batch_id, replaced_in }: OrphanedFrame): boolean {
  return held.includes(batch_id) && (replaced_in === null || !held.includes(replaced_in));
}
