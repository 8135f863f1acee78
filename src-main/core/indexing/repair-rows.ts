import { message } from '../../contract/messages.ts';
import { boxResult } from '../enrichment/apply-models.ts';
import type { DatasetModelsService } from '../enrichment/dataset-models.service.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';
import type { LocalJobs } from '../ports/local-jobs.ts';
import type { TaskRun } from '../tasks/define-task.ts';

/** Items or objects per read. */
const ROWS_AT_ONCE = 64;

interface Parts {
  task: Pick<TaskRun<unknown, unknown>, 'beginStep' | 'reportDone' | 'signal'>;
  store: DatasetStore;
  localJobs: LocalJobs;
  models: DatasetModelsService;
  swapRgb: () => boolean;
}

/**
 * Computes damaged vectors and thumbnails again from the originals. Rows whose original cannot be read stay lost, until a later check finds
 * them and they are tried again.
 */
export async function repairRows(parts: Parts): Promise<void> {
  const { task, store } = parts;
  const nLost = await store.repairs.countLost();
  if (nLost === 0) return;
  task.beginStep(message('step_repairing'), { from: 0, to: 0.3 }, nLost);
  let done = 0;
  for (const pages of [repairItems(parts), repairObjects(parts)]) {
    for await (const n of pages) {
      done += n;
      task.reportDone(done);
    }
  }
}

/** Yields the number of items processed per step. */
async function* repairItems({ task, store, localJobs, models, swapRgb }: Parts): AsyncGenerator<number> {
  const { signal } = task;
  const encoders = await models.availableEncodersOf(store, 'IMAGES');
  for (let after = -1; ; ) {
    signal.throwIfAborted();
    const items = await store.repairs.listLostItems(after, ROWS_AT_ONCE);
    const last = items.at(-1);
    if (!last) return;
    const requests = items.map(({ row, path }) => ({ key: row, path, swap_rgb: swapRgb() }));
    await store.repairs.saveItems(await localJobs.describeImages(requests, encoders, signal));
    after = last.row;
    yield items.length;
  }
}

/** Yields the number of objects processed per step. */
async function* repairObjects({ task, store, localJobs, models, swapRgb }: Parts): AsyncGenerator<number> {
  const { signal } = task;
  const encoders = await models.availableEncodersOf(store, 'OBJECTS');
  const specs = [encoders.looks.model, encoders.meaning?.model].filter((model) => model !== undefined);
  for (let after = -1; ; ) {
    signal.throwIfAborted();
    const { images, last_row } = await store.repairs.listLostObjects(after, ROWS_AT_ONCE);
    if (last_row === null) return;
    const requests = images.map((image, key) => ({ ...image, key, swap_rgb: swapRgb() }));
    const results = (await localJobs.applyToCrops(requests, specs, signal)).flatMap((applied) =>
      (images[applied.key]?.crops ?? []).map(({ key }) => boxResult(key, applied, { encoders, captioner: undefined })),
    );
    await store.repairs.saveObjects(results);
    after = last_row;
    yield results.length;
  }
}
