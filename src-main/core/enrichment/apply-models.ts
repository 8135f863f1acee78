import { pMapIterable } from 'p-map';
import { type Message, message } from '../../contract/messages.ts';
import type { BoxCursor, BoxResult, DescribedObject, ImageOfBoxes } from '../ports/boxes.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';
import type { Encoders } from '../ports/encoder.ts';
import type { EnrichedImage, EnrichedObject, ImageToEnrich, ObjectsToEnrich, PassName } from '../ports/enrichment.ts';
import type { AppliedImage, DescribedBox, Inference, ModelOutput, ModelRef } from '../ports/inference.ts';
import type { AppliedCrops, LocalJobs } from '../ports/local-jobs.ts';
import type { SpaceVectors } from '../ports/vector-space.ts';
import { hasDirection } from './has-direction.ts';

/** Images per call to a process: enough to fill the models' batches, few enough to lose little work when a process crashes. */
const IMAGES = 16;
/** Objects or boxes per read from the store; those of one image are read together. */
const BOXES = 64;
const TEXTS = 256;
/** Chunks in progress per process: one being processed and one waiting, so that no process idles. */
const CHUNKS_AHEAD = 2;

export interface ApplyParts {
  store: DatasetStore;
  inference: Inference;
  localJobs: LocalJobs;
  swapRgb: boolean;
  pass: PassName;
  signal: AbortSignal;
  /** Receives the number of items, objects or captions finished so far in this call. */
  onDone: (done: number) => void;
}

/** Models that describe a box: encoders for its vectors, and a captioner if the dataset has one. */
export interface BoxModels {
  encoders: Encoders;
  captioner?: ModelRef | undefined;
}

const refsOf = ({ encoders, captioner }: BoxModels): ModelRef[] =>
  [encoders.looks.model, encoders.meaning?.model, captioner].filter((model) => model !== undefined);

/**
 * Applies models to all living items that they have not been applied to.
 * @param batchId As in `saveImages`.
 * @param boxModels Models that describe detected boxes as objects, using the same decode.
 */
export async function applyToImages(
  parts: ApplyParts,
  models: readonly ModelRef[],
  batchId: string | null,
  boxModels?: BoxModels,
): Promise<void> {
  const { store, localJobs, swapRgb, pass, signal, onDone } = parts;
  const ofBoxes = boxModels && refsOf(boxModels);
  let done = 0;
  const apply = async (chunk: ImageToEnrich[]): Promise<{ chunk: ImageToEnrich[]; result: AppliedImage[] }> => {
    const requests = chunk.map(({ row, path }) => ({ key: row, path, swap_rgb: swapRgb }));
    return { chunk, result: await localJobs.applyModels(requests, models, signal, ofBoxes) };
  };
  for await (const { chunk, result } of pMapIterable(pagesOfImages(parts), apply, {
    concurrency: localJobs.size * CHUNKS_AHEAD,
  })) {
    const mediaIds = new Map(chunk.map(({ row, media_id }) => [row, media_id]));
    const results = result.flatMap((applied): EnrichedImage[] => {
      const mediaId = mediaIds.get(applied.key);
      return mediaId === undefined
        ? []
        : [{ row: applied.key, media_id: mediaId, outputs: outputsOfImage(applied, models, boxModels) }];
    });
    await store.enrichment.saveImages(pass, results, (chunk.at(-1)?.row ?? -1) + 1, batchId);
    done += chunk.length;
    onDone(done);
  }
}

async function* pagesOfImages({ store, pass, signal }: ApplyParts): AsyncGenerator<ImageToEnrich[]> {
  let afterRow: number | null = null;
  for (;;) {
    signal.throwIfAborted();
    const page: ImageToEnrich[] = await store.enrichment.listImages(pass, afterRow, IMAGES);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    afterRow = last.row;
  }
}

/** Applies models to all living objects that they have not been applied to: an encoder computes vectors, a captioner captions. */
export async function applyToObjects(parts: ApplyParts, models: readonly ModelRef[]): Promise<void> {
  const { store, localJobs, swapRgb, pass, signal, onDone } = parts;
  let done = 0;
  const apply = async (chunk: PageOfObjects): Promise<{ chunk: PageOfObjects; result: AppliedCrops[] }> => {
    const requests = chunk.images.map((image, key) => ({ ...image, key, swap_rgb: swapRgb }));
    return { chunk, result: await localJobs.applyToCrops(requests, models, signal) };
  };
  for await (const { chunk, result } of pMapIterable(pagesOfObjects(parts), apply, {
    concurrency: localJobs.size * CHUNKS_AHEAD,
  })) {
    const results = result.flatMap((applied): EnrichedObject[] =>
      (chunk.images[applied.key]?.crops ?? []).map(({ key }) => ({
        row: key,
        outputs: outputsOf(cropOf(applied, key), models),
      })),
    );
    await store.enrichment.saveObjects(pass, results, chunk.last_row + 1);
    done += results.length;
    onDone(done);
  }
}

interface PageOfObjects {
  images: ObjectsToEnrich[];
  last_row: number;
}

async function* pagesOfObjects({ store, pass, signal }: ApplyParts): AsyncGenerator<PageOfObjects> {
  let afterRow: number | null = null;
  for (;;) {
    signal.throwIfAborted();
    const { images, last_row }: { images: ObjectsToEnrich[]; last_row: number | null } =
      await store.enrichment.listObjects(pass, afterRow, BOXES);
    if (last_row === null) return;
    yield { images, last_row };
    afterRow = last_row;
  }
}

/** Turns the pending boxes of a batch into objects. */
export async function describeBoxes(parts: ApplyParts, batchId: string, boxModels: BoxModels): Promise<void> {
  const { store, localJobs, swapRgb, signal, onDone } = parts;
  const models = refsOf(boxModels);
  let done = 0;
  const apply = async (chunk: ImageOfBoxes[]): Promise<{ chunk: ImageOfBoxes[]; result: AppliedCrops[] }> => {
    const requests = chunk.map((image, key) => ({ ...image, key, swap_rgb: swapRgb }));
    return { chunk, result: await localJobs.applyToCrops(requests, models, signal) };
  };
  for await (const { chunk, result } of pMapIterable(pagesOfBoxes(parts, batchId), apply, {
    concurrency: localJobs.size * CHUNKS_AHEAD,
  })) {
    const results = result.flatMap((applied) =>
      (chunk[applied.key]?.crops ?? []).map(({ key }) => boxResult(key, applied, boxModels)),
    );
    await store.annotations.saveBoxes(results);
    done += results.length;
    onDone(done);
  }
}

async function* pagesOfBoxes({ store, signal }: ApplyParts, batchId: string): AsyncGenerator<ImageOfBoxes[]> {
  let after: BoxCursor = null;
  for (;;) {
    signal.throwIfAborted();
    const page: { images: ImageOfBoxes[]; after: BoxCursor } = await store.annotations.listBoxes(batchId, after, BOXES);
    if (page.images.length === 0) return;
    yield page.images;
    after = page.after;
  }
}

/** Computes the vectors of all captions that have none. */
export async function encodeCaptions(parts: ApplyParts, model: ModelRef): Promise<void> {
  const { store, inference, signal, onDone } = parts;
  for (let [done, after] = [0, 0]; ; ) {
    signal.throwIfAborted();
    const captions = await store.enrichment.listCaptions(after, TEXTS);
    const last = captions.at(-1);
    if (!last) return;
    after = last.caption_id;
    const vectors = await inference.encodeTexts(
      captions.map(({ caption }) => caption),
      model,
      signal,
    );
    await store.enrichment.saveCaptionVectors(
      captions.flatMap(({ caption_id }, at) => {
        const vector = vectors[at];
        return vector && hasDirection(vector) ? [{ caption_id, vector }] : [];
      }),
    );
    done += captions.length;
    onDone(done);
  }
}

type Applied = { ok: true; outputs: ModelOutput[] } | { ok: false; reason: Message };

/** Returns the outputs of all models for an image. An image that could not be read gets a failed output for every model. */
function outputsOf(applied: Applied, models: readonly ModelRef[]): { model_id: string; output: ModelOutput }[] {
  return models.map(({ model_id }, at) => {
    const missing: ModelOutput = { kind: 'failed', reason: message('model_gave_nothing') };
    const output = applied.ok ? (applied.outputs[at] ?? missing) : { kind: 'failed' as const, reason: applied.reason };
    return { model_id, output };
  });
}

function outputsOfImage(
  applied: AppliedImage,
  models: readonly ModelRef[],
  boxModels: BoxModels | undefined,
): EnrichedImage['outputs'] {
  const outputs = outputsOf(applied, models);
  if (!applied.ok || !boxModels) return outputs;
  return outputs.map((output, at) => ({
    ...output,
    boxes: (applied.boxes[at] ?? []).map((box) => objectOf(box, boxModels)),
  }));
}

function cropOf(applied: AppliedCrops, key: number): DescribedBox {
  if (!applied.ok) return { ok: false, reason: message('image_unreadable_for_objects', { problem: applied.reason }) };
  return applied.crops.find((one) => one.key === key) ?? { ok: false, reason: message('box_left_out') };
}

/** Converts the outputs of models for a crop to the result of its box. */
export function boxResult(key: number, applied: AppliedCrops, models: BoxModels): BoxResult {
  return { key, ...objectOf(cropOf(applied, key), models) };
}

function objectOf(box: DescribedBox, { encoders, captioner }: BoxModels): DescribedObject {
  if (!box.ok) return box;
  const [looks, ...others] = box.outputs;
  if (looks?.kind !== 'vector') {
    return { ok: false, reason: looks?.kind === 'failed' ? looks.reason : message('encoder_gave_nothing') };
  }
  const meaning = encoders.meaning && others.shift();
  const failure = encoders.meaning &&
    meaning?.kind === 'failed' && { model_id: encoders.meaning.model.model_id, reason: meaning.reason };
  const vectors: SpaceVectors = {
    looks: looks.vector,
    ...(meaning?.kind === 'vector' ? { meaning: meaning.vector } : {}),
  };
  const captioned = others[0];
  const caption = captioned?.kind === 'caption' && captioned.caption !== '' ? captioned.caption : null;
  const captionSource = captioner?.model_id ?? null;
  return {
    ok: true,
    thumbnail: box.thumbnail,
    vectors,
    caption,
    caption_source: caption && captionSource,
    ...(failure && { failure }),
  };
}
