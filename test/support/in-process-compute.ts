import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { message } from '../../src-main/contract/messages.ts';
import type { Encoders } from '../../src-main/core/ports/encoder.ts';
import type { ModelOutput, ModelRef } from '../../src-main/core/ports/inference.ts';
import type { CropRequest, ImageResult } from '../../src-main/core/ports/local-jobs.ts';
import { findCandidates } from '../../src-main/infra/duplicates/find-candidates.ts';
import { readExif } from '../../src-main/infra/images/exif.ts';
import { DESCRIPTOR_DIM, DESCRIPTOR_ID } from '../../src-main/infra/inference/descriptor-shape.ts';
import { projectRows } from '../../src-main/infra/projection/project-rows.ts';
import { runIndexJob } from '../../src-main/infra/vectors/index-job.ts';
import type { TestCompute } from './compute.ts';

export interface InProcessCompute extends TestCompute {
  /** Called before each image is described. A returned promise is awaited. */
  beforeImage: (path: string, signal: AbortSignal | undefined) => void | Promise<void>;
}

export const QUALITY = {
  mean_luma: 0.5,
  p01_luma: 0,
  p05_luma: 0.1,
  p50_luma: 0.5,
  p95_luma: 0.9,
  p99_luma: 1,
  contrast: 0.2,
  sharpness: 100,
  edge_energy: 10,
  edge_sharpness: 1,
  blown_share: 0,
  entropy_bits: 7,
  colourfulness: 20,
  grey_share: 0,
};

/** A compute port without processes. A file's bytes count as its image, and the image's embedding is derived from a hash of the bytes. */
export function inProcessCompute(): InProcessCompute {
  const describe = async (key: number, path: string, { looks, meaning }: Encoders): Promise<ImageResult> => {
    const bytes = await readFile(path);
    if (bytes.length === 0) return { key, ok: false, kind: 'empty', reason: message('file_empty') };
    const { size, mtimeMs } = await stat(path);
    return {
      key,
      ok: true,
      width: 16,
      height: 16,
      format: 'png',
      pages: 1,
      content_hash: createHash('sha256').update(bytes).digest('hex'),
      size_bytes: size,
      mtime_ms: mtimeMs,
      thumbnail: Buffer.from('thumbnail'),
      quality: QUALITY,
      exif: await readExif(bytes),
      vectors: {
        looks: vectorOf(bytes, looks.dim),
        ...(meaning ? { meaning: vectorOf(bytes, meaning.dim) } : {}),
      },
    };
  };
  const compute: InProcessCompute = {
    size: 1,
    beforeImage: () => undefined,
    warm: () => undefined,
    drawCovers: () => Promise.resolve(new Uint8Array()),
    describeImages: async (items, encoders, signal) => {
      const results: ImageResult[] = [];
      for (const { key, path } of items) {
        await compute.beforeImage(path, signal);
        signal?.throwIfAborted();
        results.push(await describe(key, path, encoders));
      }
      return results;
    },
    applyModels: () => Promise.reject(new Error('no models in process')),
    applyToCrops: (items, models) =>
      Promise.all(
        items.map(async ({ key, path, crops }) => ({
          key,
          ok: true as const,
          crops: await Promise.all(crops.map((crop) => describeCrop(path, crop, models))),
        })),
      ),
    applyToImages: () => Promise.reject(new Error('no models in process')),
    encodeTexts: () => Promise.reject(new Error('no models in process')),
    tagVectors: () => Promise.reject(new Error('no models in process')),
    tryModel: () => Promise.reject(new Error('no models in process')),
    forgetModels: () => undefined,
    checkDevices: () => Promise.resolve([{ provider: 'cpu', works: true, problem: null }]),
    modelSpeeds: () => new Map(),
    buildIndex: (request, options) => runIndexJob(request, { ...options, threads: 1 }),
    findCandidates: (job, _looks, { onProgress, signal }) =>
      findCandidates(job, { threads: 1, describe: () => Promise.resolve([]), onProgress, signal }),
    project: (job, options) => projectRows(job, options),
    copyVectors: () => Promise.reject(new Error('no vector engine in process')),
    splitEncoder: () => Promise.reject(new Error('no models in process')),
    compareImages: ({ pairs }) => Promise.resolve(pairs.map(() => 0)),
    status: () => ({ pids: [], deaths: 0 }),
    close: () => Promise.resolve(),
  };
  return compute;
}

async function describeCrop(path: string, { key, box }: CropRequest, models: readonly ModelRef[]) {
  const bytes = Buffer.concat([await readFile(path), Buffer.from(JSON.stringify(box))]);
  const outputs = models.map(({ model_id }): ModelOutput => {
    if (model_id !== DESCRIPTOR_ID) throw new Error('no models but the descriptor in process');
    return { kind: 'vector', vector: vectorOf(bytes, DESCRIPTOR_DIM) };
  });
  return { key, ok: true as const, thumbnail: Buffer.from('thumbnail'), outputs };
}

/** Returns a unit vector derived from the bytes: equal bytes give equal vectors. */
function vectorOf(bytes: Uint8Array, dim: number): Float32Array {
  const hash = createHash('shake256', { outputLength: dim }).update(bytes).digest();
  const vector = Float32Array.from(hash, (byte) => byte - 127.5);
  const norm = Math.hypot(...vector);
  return vector.map((value) => value / norm);
}
