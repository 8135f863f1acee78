import type { ComputePool, CropsResult } from '../compute.port.ts';
import type { BoxCursor, BoxResult, DatasetStore, PictureOfBoxes } from '../dataset-store.port.ts';
import type { Encoder } from '../encoder.port.ts';
import type { TaskRun } from '../tasks/define-task.ts';

/** Boxes read from the store at a time, and pictures of them that a process gets at a time. */
const BOXES = 256;
const PICTURES = 16;
/** Chunks under way for each process: one worked on, one waiting, so that none idles. */
const CHUNKS_AHEAD = 2;

interface Parts {
  task: Pick<TaskRun<unknown, unknown>, 'beginStep' | 'reportDone' | 'signal'>;
  store: DatasetStore;
  batch_id: string;
  compute: ComputePool;
  swapRgb: () => boolean;
  encoder: Encoder;
}

/**
 * Takes in what annotation files of a batch say of its media and of those that were there before: labels and captions at once, boxes as
 * objects with a thumbnail and a vector each. A run that was cut off reads the files again, and goes on with the boxes where it stopped.
 */
export async function readBatchAnnotations(parts: Parts): Promise<void> {
  const { task, store, batch_id } = parts;
  if ((await store.beginAnnotations(batch_id)) > 0) {
    task.beginStep('Reading annotations', { from: 0.9, to: 0.9 }, null);
    let done = 0;
    for (let finished = false; !finished; ) {
      task.signal.throwIfAborted();
      const page = await store.readAnnotations(batch_id);
      finished = page.finished;
      done += page.n_rows;
      task.reportDone(done);
    }
  }
  const n_boxes = await store.countBoxes(batch_id);
  if (n_boxes === 0) return;
  task.beginStep('Looking at objects', { from: 0.9, to: 0.95 }, n_boxes);
  await describeBoxes(parts);
}

/** Describes all waiting boxes and saves them in order; memory holds a fixed number of chunks. */
async function describeBoxes({ task, store, batch_id, compute, encoder, swapRgb }: Parts): Promise<void> {
  const under_way: { pictures: PictureOfBoxes[]; results: Promise<CropsResult[]> }[] = [];
  let after: BoxCursor = null;
  let done = 0;

  const finishOldest = async () => {
    const oldest = under_way.shift();
    if (!oldest) return;
    const results = boxResults(oldest.pictures, await oldest.results);
    await store.saveBoxes(results);
    done += results.length;
    task.reportDone(done);
  };

  try {
    for (;;) {
      task.signal.throwIfAborted();
      const page = await store.listBoxes(batch_id, after, BOXES);
      if (page.pictures.length === 0) break;
      after = page.after;
      for (let first = 0; first < page.pictures.length; first += PICTURES) {
        const pictures = page.pictures.slice(first, first + PICTURES);
        const requests = pictures.map((picture, key) => ({ ...picture, key, swap_rgb: swapRgb() }));
        const results = compute.describeCrops(requests, encoder, task.signal);
        // It is awaited in its turn; a failure before that must not count as unhandled.
        results.catch(() => undefined);
        under_way.push({ pictures, results });
        if (under_way.length >= compute.size * CHUNKS_AHEAD) await finishOldest();
      }
    }
    while (under_way.length > 0) await finishOldest();
  } finally {
    await Promise.allSettled(under_way.map((chunk) => chunk.results));
  }
}

/** A picture that failed fails all its boxes. */
function boxResults(pictures: PictureOfBoxes[], results: CropsResult[]): BoxResult[] {
  return results.flatMap((result): BoxResult[] => {
    if (result.ok) return result.crops.map((crop) => ({ ...crop, ok: true }));
    const crops = pictures[result.key]?.crops ?? [];
    return crops.map(({ key }) => ({
      key,
      ok: false,
      reason: `the picture could not be read for its objects: ${result.reason}`,
    }));
  });
}
