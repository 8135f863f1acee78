import { message } from '../../contract/messages.ts';
import type { ChangeWrites, FileContent } from '../ports/changes.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';
import type { LocalFolders } from '../ports/files.ts';
import type { TaskRun } from '../tasks/define-task.ts';
import { describePendingFiles } from './describe-files.ts';
import { type BatchInput, type IngestParts, openBatch } from './ingest-batch.ts';
import { readBatchAnnotations } from './read-annotations.ts';
import { readPendingVideos } from './read-videos.ts';

/** Number of files whose content is looked up per step. */
const GROUP = 50;

type Run = TaskRun<BatchInput, unknown>;

/**
 * Imports the recorded changes of a watched folder, in this order: videos, images with known content, images that must be read, annotation
 * files, boxes whose images have new content, and finally removed files whose content was not found elsewhere. Each step deletes the
 * records of its changes, so that a run after a crash processes only the remaining ones.
 */
export async function ingestChanges(
  task: Run,
  store: DatasetStore,
  parts: IngestParts & { folders: LocalFolders },
): Promise<void> {
  const { batch_id, source } = task.input;
  const encoders = await parts.models.openSpaces(task.dataset_id, store);
  await openBatch(store, parts.originals, batch_id, source);
  task.beginStep(message('step_comparing_changes'), { from: 0, to: 0.1 }, null);
  await store.changes.takeVideos(batch_id);
  await takeKnownContent(task, store, parts.folders);

  await readPendingVideos({ from: 0.1, task, store, batch_id, videos: parts.videos });
  const nChanged = await store.changes.count(batch_id);
  task.beginStep(message('step_reading_media'), { from: 0.1, to: 0.9 }, nChanged);
  const describing = {
    batch_id,
    localJobs: parts.localJobs,
    encoders,
    swap_rgb: parts.swapRgb(),
    signal: task.signal,
  };
  const changed = {
    listPending: (_batch_id: string, _kind: unknown, after: Parameters<ChangeWrites['listImages']>[1], limit: number) =>
      store.changes.listImages(batch_id, after, limit),
    saveResults: (results: Parameters<ChangeWrites['saveResults']>[1]) => store.changes.saveResults(batch_id, results),
  };
  await describePendingFiles({
    ...describing,
    files: changed,
    n_files: nChanged,
    onDone: (done) => task.reportSaved(done),
  });
  // Video frames are files of the batch.
  await describePendingFiles({
    ...describing,
    files: store.intake,
    n_files: (await store.items.counts(batch_id)).n_pending,
    onDone: (done) => task.reportSaved(nChanged + done),
  });
  await store.changes.takeAnnotations(batch_id);
  await readBatchAnnotations({ models: parts.models, task, store, batchId: batch_id });
  await parts.models.applyToBatch(task, store, batch_id, { from: 0.92, to: 0.95 });
  await store.changes.finish(batch_id);
}

async function takeKnownContent(task: Run, store: DatasetStore, folders: LocalFolders): Promise<void> {
  const { batch_id } = task.input;
  let after = -1;
  let done = 0;
  for (;;) {
    const files = await store.changes.listSameSize(batch_id, after, GROUP);
    if (files.length === 0) return;
    const contents: FileContent[] = [];
    for (const { change_id, path } of files) {
      const content = await folders.readContent(path, task.signal);
      if (content) contents.push({ change_id, ...content });
      after = change_id;
    }
    await store.changes.takeKnownContent(batch_id, contents);
    done += files.length;
    task.reportDone(done);
  }
}
