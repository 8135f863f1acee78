import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, isDiskFull } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { FailedImage } from '../../core/ports/image.ts';
import type { AppliedImage, FoundLabel, Inference, InferenceImage, ModelRef } from '../../core/ports/inference.ts';
import type { ImageSource, TextsPayload, TryPayload, VectorsPayload } from '../local-jobs/child-protocol.ts';
import type { ComputeProcesses, ImageJob } from '../local-jobs/compute-processes.ts';
import { saferAfter } from '../local-jobs/item-job.ts';
import { runWhole } from '../local-jobs/whole-job.ts';
import type { WorkerQueue } from '../local-jobs/worker-queue.ts';
import type { UrlFetcher } from '../storage/fetch-url.ts';
import type { LocalModels } from './local-models.ts';
import { textSideOf } from './text-side.ts';

/** Options for fetching images that are given by URL. */
export interface ImageFetching {
  urls: Pick<UrlFetcher, 'fetchUrl'>;
  /** Folder for fetched images until they are decoded. */
  temporaryFolder: string;
}

const MAX_FETCHED_BYTES = 2 * 1024 ** 3;

/** Inference on this machine's processes, by models whose files are here. */
export function createLocalInference(
  processes: ComputeProcesses,
  localModels: LocalModels,
  fetching: ImageFetching,
): Inference {
  const { models, texts } = processes.queues;
  return {
    applyToImages: async (images, refs, signal, boxRefs) => {
      const job = applyJob(models, localModels, refs, boxRefs);
      const sources = await Promise.all(images.map((image) => sourceOf(image, fetching, signal)));
      try {
        const readable = sources.filter((source) => !('ok' in source));
        const results = await processes.runOnImages<AppliedImage>(job, readable, signal);
        return sources.map((source) => {
          const result = 'ok' in source ? source : results[readable.indexOf(source)];
          if (result === undefined) throw new Error('An image was left out.');
          return result;
        });
      } finally {
        for (const source of sources) if ('path' in source) await rm(source.path, { force: true });
      }
    },
    encodeTexts: async (requested, ref, signal) => {
      const model = localModels.resolve(ref);
      if (textSideOf(model.runner) === undefined) {
        throw new AppError('invalid_request', message('model_without_texts', { model: model.model_id }));
      }
      const { session, demand } = await processes.planFor([model]);
      const payload = (deaths: number): TextsPayload => ({
        texts: requested,
        model,
        session: saferAfter(deaths, session),
      });
      const job = { kind: 'encode_texts', payload, doing: 'encodes texts', runsModel: true };
      const { maxRssBytes } = demand;
      return texts.submit((slot) => runWhole<Float32Array[]>(slot, job), signal, maxRssBytes ? { maxRssBytes } : {});
    },
    tagVectors: async (vectors, ref, signal) => {
      const model = localModels.resolve(ref);
      const { session, demand } = await processes.planFor([model]);
      const payload = (deaths: number): VectorsPayload => ({ vectors, model, session: saferAfter(deaths, session) });
      const job = { kind: 'tag_vectors', payload, doing: 'compares images with words', runsModel: true };
      const { maxRssBytes } = demand;
      return texts.submit((slot) => runWhole<FoundLabel[][]>(slot, job), signal, maxRssBytes ? { maxRssBytes } : {});
    },
    tryModel: async (ref, signal) => {
      const model = localModels.resolve(ref);
      const { session, demand } = await processes.planFor([model]);
      const payload = (deaths: number): TryPayload => ({ model, session: saferAfter(deaths, session) });
      const job = { kind: 'try_model', payload, doing: 'tries the model', runsModel: true };
      await models.submit((slot) => runWhole(slot, job), signal, demand);
    },
    forgetModels: () => {
      for (const queue of [models, texts]) queue.renew();
    },
    checkDevices: () => processes.devices.check(),
    modelSpeeds: () => processes.speeds.list(),
  };
}

/** Returns the job that applies models to images, and box models to the objects that are detected on them. */
export function applyJob(
  queue: WorkerQueue,
  localModels: LocalModels,
  refs: readonly ModelRef[],
  boxRefs: readonly ModelRef[] | undefined,
): ImageJob {
  const ofImages = refs.map((ref) => localModels.resolve(ref));
  const ofBoxes = boxRefs?.map((ref) => localModels.resolve(ref));
  const all = new Map([...ofImages, ...(ofBoxes ?? [])].map((model) => [model.model_id, model]));
  const parts = { models: ofImages, box_models: ofBoxes };
  return { queue, kind: 'apply_models', models: [...all.values()], parts };
}

/** @throws AppError `disk_full`; AbortError. Anything else is the image's own failure. */
async function sourceOf(
  { key, content, swap_rgb = false }: InferenceImage,
  { urls, temporaryFolder }: ImageFetching,
  signal: AbortSignal = new AbortController().signal,
): Promise<ImageSource | FailedImage> {
  if ('bytes' in content) return { key, bytes: content.bytes, swap_rgb };
  const path = join(temporaryFolder, randomUUID());
  try {
    await urls.fetchUrl(content.url, path, { maxBytes: MAX_FETCHED_BYTES, signal });
    return { key, path, swap_rgb };
  } catch (error) {
    await rm(path, { force: true });
    if (signal.aborted || !(error instanceof AppError) || isDiskFull(error)) throw error;
    const kind = error.code === 'too_large' ? 'too_large' : 'unreadable';
    return { key, ok: false, kind, reason: error.reason };
  }
}
