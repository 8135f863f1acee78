import { AppError } from '../../contract/errors.ts';
import { type Message, message, wholeNumber } from '../../contract/messages.ts';
import type { DatasetModelsService } from '../enrichment/dataset-models.service.ts';
import type { FetchResult, FileCursor, RemoteFile } from '../ports/dataset-files.ts';
import type { BatchKind } from '../ports/dataset-sources.ts';
import type { DatasetStore, StoreReads, StoreWrites } from '../ports/dataset-store.ts';
import type { Encoders } from '../ports/encoder.ts';
import type { StoredOriginals } from '../ports/files.ts';
import type { StoreCounts } from '../ports/items.ts';
import type { LocalJobs } from '../ports/local-jobs.ts';
import { type BatchSource, FILE_SYSTEM_SOURCE, type MediaSources } from '../ports/media-sources.ts';
import type { VideoReader } from '../ports/video-reader.ts';
import { counted, sentences } from '../tasks/amount.ts';
import type { TaskRun } from '../tasks/define-task.ts';
import { describePendingFiles } from './describe-files.ts';
import { readBatchAnnotations } from './read-annotations.ts';
import { readPendingVideos } from './read-videos.ts';

export interface BatchInput {
  batch_id: string;
  source: BatchSource;
  /** Whether the names of folders become labels. */
  folder_labels?: boolean | undefined;
}

export interface BatchCheckpoint {
  collected: boolean;
}

export interface IngestParts {
  sources: MediaSources;
  originals: StoredOriginals;
  videos: VideoReader;
  localJobs: LocalJobs;
  models: DatasetModelsService;
  /** Returns the current value of the setting SWAP_RGB_CHANNELS_FOR_TIFF_HEIC. */
  swapRgb: () => boolean;
}

/** Thrown if no file of a batch is usable. The reasons are recorded as file errors of the dataset. */
export class NothingUsable extends AppError {
  constructor(detail: Message) {
    super('invalid_request', detail);
    this.name = 'NothingUsable';
  }
}

/** Thrown if the source of a batch contains media, but the dataset already has all of them. */
export class NothingNew extends AppError {
  constructor() {
    super('conflict', message('nothing_new'));
    this.name = 'NothingNew';
  }
}

/** Number of fetched files saved per transaction. One transaction per file would slow down fast downloads. */
const SAVE_GROUP = 20;

/**
 * Brings a batch from its source to described, unpublished items: collect → fetch → videos → images → annotations → models. Each step
 * continues after the work that an earlier run finished.
 * @throws NothingUsable when no file is usable; NothingNew when all files are known; AppError when there is no file.
 */
export async function ingestBatch<Checkpoint extends BatchCheckpoint>(
  task: TaskRun<BatchInput, Checkpoint>,
  store: DatasetStore,
  parts: IngestParts,
  collected: Checkpoint,
): Promise<StoreCounts> {
  const { batch_id, source, folder_labels: hasFolderLabels = false } = task.input;
  await parts.models.warm(task.dataset_id);
  const encoders = await parts.models.openSpaces(task.dataset_id, store);
  if (task.checkpoint.collected !== true) {
    await collect(task, store, parts);
    await store.intake.settle();
    task.saveCheckpoint(collected);
    await parts.sources.finish(batch_id);
  }
  await fetchRemote(task, store, parts, 'assume_role' in source ? source.assume_role : null);
  await readPendingVideos({ task, store, batch_id, videos: parts.videos, from: startOfReading(source) });
  await describe(task, store, parts, encoders);
  await readBatchAnnotations({ models: parts.models, task, store, batchId: batch_id, hasFolderLabels });
  await parts.models.applyToBatch(task, store, batch_id, { from: 0.92, to: 0.95 });
  return store.items.counts(batch_id);
}

async function collect(
  task: TaskRun<BatchInput, BatchCheckpoint>,
  store: DatasetStore,
  parts: IngestParts,
): Promise<void> {
  const { batch_id, source } = task.input;
  task.beginStep(message('step_looking_for_media'), { from: 0, to: 0.02 }, null);
  await openBatch(store, parts.originals, batch_id, source);
  // A retry of the task reads failed files again.
  await store.intake.retryFailed(batch_id);
  let found = 0;
  const known = (filePaths: string[]) => store.intake.knownPaths(batch_id, filePaths);
  for await (const files of parts.sources.collect(batch_id, source, known, task.signal)) {
    await store.intake.addFiles(batch_id, files);
    found += files.length;
    task.reportDone(found);
  }
  const { n_files, n_annotation_files } = await store.items.counts(batch_id);
  if (found > 0 && n_files + n_annotation_files === 0) throw new NothingNew();
}

/** Records a batch and the possible sources of its files. */
export async function openBatch(
  { intake }: Pick<StoreWrites, 'intake'>,
  originals: StoredOriginals,
  batchId: string,
  source: BatchSource,
): Promise<void> {
  await intake.addSource({ source_id: batchId, kind: 'stored', root: originals.root(batchId) });
  await intake.addSource({ source_id: FILE_SYSTEM_SOURCE, kind: 'folder', root: '' });
  const sourceId =
    source.kind === 'folder' || source.kind === 'watch' ? await intake.ensureFolderSource(source.folder) : batchId;
  const kinds: Record<BatchSource['kind'], BatchKind> = {
    uploads: 'upload',
    folder: 'folder',
    archive: 'archive',
    objects: 'objects',
    manifest: 'manifest',
    watch: 'watch',
  };
  await intake.addBatch({ batch_id: batchId, source_id: sourceId, kind: kinds[source.kind] });
}

/** Progress at which reading starts: media of other machines are fetched before. */
function startOfReading({ kind }: BatchSource): number {
  return kind === 'objects' || kind === 'manifest' ? 0.3 : 0.02;
}

async function fetchRemote(
  task: TaskRun<BatchInput, BatchCheckpoint>,
  store: DatasetStore,
  parts: IngestParts,
  assumeRole: string | null,
): Promise<void> {
  const { batch_id } = task.input;
  const first = await store.intake.listRemote(batch_id, null, 1);
  if (first.length === 0) return;
  const { n_files, n_pending } = await store.items.counts(batch_id);
  task.beginStep(message('step_fetching_media'), { from: 0.02, to: 0.3 }, n_files);
  let done = n_files - n_pending;
  let group: FetchResult[] = [];
  for await (const result of parts.sources.fetch(batch_id, remoteFiles(store, batch_id), assumeRole, task.signal)) {
    group.push(result);
    done += 1;
    if (group.length >= SAVE_GROUP) {
      await store.intake.saveFetched(group);
      group = [];
    }
    // Annotation files are fetched too, but do not count as media.
    task.reportSaved(Math.min(done, n_files));
  }
  await store.intake.saveFetched(group);
}

async function* remoteFiles(store: StoreWrites, batchId: string): AsyncGenerator<RemoteFile> {
  let after: FileCursor = null;
  for (;;) {
    const files: RemoteFile[] = await store.intake.listRemote(batchId, after, 200);
    if (files.length === 0) return;
    yield* files;
    after = files.at(-1) ?? null;
  }
}

async function describe(
  task: TaskRun<BatchInput, BatchCheckpoint>,
  store: DatasetStore,
  parts: IngestParts,
  encoders: Encoders,
): Promise<void> {
  const { batch_id } = task.input;
  const before = await store.items.counts(batch_id);
  const isHopeless = before.n_files === before.n_file_errors;
  if (isHopeless && before.n_annotation_files > 0 && (await hasItems(store))) return;
  if (before.n_files === 0) throw new AppError('invalid_request', message('no_media_found'));
  const finishedBefore = before.n_files - before.n_pending;
  task.beginStep(message('step_reading_media'), { from: startOfReading(task.input.source), to: 0.9 }, before.n_files);
  task.reportDone(finishedBefore);
  await describePendingFiles({
    files: store.intake,
    batch_id,
    n_files: before.n_pending,
    localJobs: parts.localJobs,
    encoders,
    swap_rgb: parts.swapRgb(),
    signal: task.signal,
    onDone: (done) => task.reportSaved(finishedBefore + done),
  });
  const after = await store.items.counts(batch_id);
  if (after.n_images + after.n_frames === 0) throw new NothingUsable(await nothingReadable(store, batch_id, after));
}

/** Whether the dataset has items, to which annotations without media can apply. */
async function hasItems(store: StoreReads): Promise<boolean> {
  const { n_images, n_frames } = await store.items.counts();
  return n_images + n_frames > 0;
}

async function nothingReadable(store: StoreReads, batchId: string, counts: StoreCounts): Promise<Message> {
  const { file_errors, by_kind } = await store.intake.listFileErrors({
    kind: null,
    batch_id: batchId,
    offset: 0,
    limit: 1,
  });
  const first = file_errors[0];
  const example = first ? message('first_unreadable', { file: first.file_path, problem: first.reason }) : '';
  // If a folder or list was added before, only files that are not items yet are read.
  const isAddition = await hasItems(store);
  if (counts.n_files === 1) {
    return message(isAddition ? 'only_new_file_unreadable' : 'only_file_unreadable', { example });
  }
  const kinds = listOf(
    Object.entries(by_kind).map(([kind, n]) => message('n_of_kind', { n, kind: kind.replaceAll('_', ' ') })),
  );
  const code = isAddition ? 'no_new_file_readable' : 'no_file_readable';
  return message(code, { n: wholeNumber(counts.n_files), kinds, example });
}

/** Summary of a finished batch. */
export function batchSummary(outcome: 'added' | 'indexed', counts: StoreCounts): Message {
  const parts = [
    counted('n_images', counts.n_images),
    counted('n_videos', counts.n_videos),
    counted('n_objects', counts.n_objects),
    counted('n_labels', counts.n_labels),
    counted('n_captions', counts.n_captions),
  ].filter(({ params }) => params.count !== 0);
  const { n_file_errors } = counts;
  const what = message(`task_${outcome}`, { what: listOf(parts) });
  return sentences(what, n_file_errors > 0 && counted('files_unreadable', n_file_errors));
}

/** Joins parts as a list in words: `a`, `a and b`, `a, b and c`. */
function listOf(parts: readonly Message[]): Message {
  const [first, ...others] = parts;
  if (first === undefined) return message('nothing');
  return others.reduce(
    (before, last, at) => message(at === others.length - 1 ? 'list_end' : 'list_part', { before, last }),
    first,
  );
}
