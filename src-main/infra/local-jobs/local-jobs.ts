import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { LRUCache } from 'lru-cache';
import type { Encoders } from '../../core/ports/encoder.ts';
import type { IndexSummary } from '../../core/ports/index-jobs.ts';
import type { AppliedImage } from '../../core/ports/inference.ts';
import type { AppliedCrops, ImageResult, LocalJobs } from '../../core/ports/local-jobs.ts';
import { DESCRIPTOR_ID } from '../inference/descriptor-shape.ts';
import { applyJob } from '../inference/local-inference.ts';
import type { LocalModels } from '../inference/local-models.ts';
import type { CandidatesPayload, CoversPayload, IndexPayload } from './child-protocol.ts';
import type { ComputeProcesses, ImageJob } from './compute-processes.ts';
import { saferAfter } from './item-job.ts';
import { runWhole, type WholeJob } from './whole-job.ts';
import type { Slot } from './worker-queue.ts';

/** Up to this many rows, an index is built in less time than a process takes to start. */
const SMALL_INDEX_ROWS = 4000;
/** From this many rows on, an index that is built from the beginning gets the memory of idle processes for images. */
const LARGE_INDEX_ROWS = 10_000;

/**
 * Up to this many images of an index or pairs of images, a background job takes about as long as a process takes to start. A running process
 * takes such a job between images, which it hardly delays.
 */
const SMALL_JOB = 100;

/** Memory in bytes for sheets of covers that were drawn: about a hundred, of the first pages of datasets in use. */
const DRAWN_BYTES = 32 * 2 ** 20;

/** Local jobs on the shared processes; models that they apply run in the process that decodes the image. */
export function createLocalJobs(processes: ComputeProcesses, localModels: LocalModels): LocalJobs {
  const { images, models, index, covers, background } = processes.queues;

  const describing = (encoders: Encoders): ImageJob => {
    const looks = localModels.resolve(encoders.looks.model);
    const meaning = encoders.meaning && localModels.resolve(encoders.meaning.model);
    return {
      queue: meaning ? models : images,
      kind: 'describe_images',
      models: meaning ? [looks, meaning] : [looks],
      parts: { looks, meaning },
    };
  };
  const drawn = new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: DRAWN_BYTES,
    sizeCalculation: ({ length }) => Math.max(1, length),
  });
  /** @param size Number of images or pairs of a job that may be small: {@link SMALL_JOB}. */
  const inBackground = <Result = void>(
    job: WholeJob,
    signal: AbortSignal | undefined,
    size = Number.POSITIVE_INFINITY,
  ): Promise<Result> => {
    const work = (slot: Slot) => runWhole<Result>(slot, job);
    const idle = [background, images, models].find((queue) => queue.isIdle());
    const taking = idle ?? (images.isRunning() ? images : background);
    if (size <= SMALL_JOB && taking !== background) return taking.submit(work, signal);
    return background.submit(work, signal, { maxRssBytes: processes.indexRssBytes });
  };

  return {
    size: processes.size,
    describeImages: async (items, encoders, signal) =>
      processes.runOnImages<ImageResult>(describing(encoders), items, signal),
    warm: (encoders) => processes.warm(describing(encoders)),
    drawCovers: async (requested, px, signal) => {
      // Thumbnails never change in place without their checksum.
      const key = createHash('sha256')
        .update(JSON.stringify([px, requested]))
        .digest('hex');
      const known = drawn.get(key);
      if (known) return known;
      const payload: CoversPayload = { covers: requested, px };
      const job: WholeJob = { kind: 'draw_covers', payload: () => payload, doing: 'draws covers' };
      const sheet = await covers.submit((slot) => runWhole<Uint8Array<ArrayBuffer>>(slot, job), signal);
      drawn.set(key, sheet);
      return sheet;
    },
    applyModels: async (items, refs, signal, boxRefs) =>
      processes.runOnImages<AppliedImage>(applyJob(models, localModels, refs, boxRefs), items, signal),
    applyToCrops: async (items, refs, signal) => {
      // Boxes that only the built-in descriptor is applied to go to the processes that have just described their images: they are warm.
      const queue = refs.every(({ model_id }) => model_id === DESCRIPTOR_ID) ? images : models;
      const applied = refs.map((ref) => localModels.resolve(ref));
      const job: ImageJob = { queue, kind: 'apply_to_crops', models: applied, parts: { models: applied } };
      return processes.runOnImages<AppliedCrops>(job, items, signal);
    },
    buildIndex: (request, { signal, onProgress }) => {
      // The images of a new dataset have just been read; where a watched folder feeds one, more are soon to come.
      if (request.mode !== 'extend' && request.count >= LARGE_INDEX_ROWS) images.renew();
      // A process that has just read images is already running.
      const idle = request.count <= SMALL_INDEX_ROWS ? [images, models].find((queue) => queue.isIdle()) : undefined;
      const payload: IndexPayload = { request, threads: availableParallelism() };
      const job: WholeJob = { kind: 'build_index', payload: () => payload, doing: 'builds the index', onProgress };
      return processes.during((idle ?? index).submit((slot) => runWhole<IndexSummary>(slot, job), signal));
    },
    findCandidates: async (job, ref, { signal, onProgress }) => {
      const looks = localModels.resolve(ref);
      const { session } = await processes.planFor([looks]);
      const payload = (deaths: number): CandidatesPayload => ({
        job,
        looks,
        session: saferAfter(deaths, session),
        threads: availableParallelism(),
      });
      await inBackground(
        { kind: 'find_candidates', payload, doing: 'looks for duplicates', onProgress },
        signal,
        job.count,
      );
    },
    splitEncoder: (request, signal) => {
      // Somebody waits for the model: comparisons of images in the background do not delay it.
      const job: WholeJob = { kind: 'split_encoder', payload: () => request, doing: 'separates the encoders' };
      return processes.during(index.submit((slot) => runWhole<void>(slot, job), signal));
    },
    compareImages: (batch, signal) => {
      const job: WholeJob = { kind: 'compare_images', payload: () => batch, doing: 'compares images' };
      return inBackground<number[]>(job, signal, batch.pairs.length);
    },
    copyVectors: (job, { signal, onProgress }) =>
      inBackground({ kind: 'copy_vectors', payload: () => job, doing: 'copies vectors', onProgress }, signal),
    project: (job, { signal, onProgress }) =>
      inBackground({ kind: 'project', payload: () => job, doing: 'computes the map', onProgress }, signal, job.count),
  };
}
