import pMap from 'p-map';
import { formatMessage, message } from '../../contract/messages.ts';
import type { EnrichmentPreview } from '../../contract/schemas/model.ts';
import { ENRICHMENT_TYPES } from '../../contract/schemas/model-definition.ts';
import type { CallContext } from '../core.ts';
import type { MediaUrls } from '../media/media-urls.ts';
import type { StoreReads } from '../ports/dataset-store.ts';
import type { ImageToEnrich } from '../ports/enrichment.ts';
import type { AppliedImage, DetectedObject, ModelOutput, ModelRef } from '../ports/inference.ts';
import type { LocalJobs } from '../ports/local-jobs.ts';
import type { InstalledModel, ModelLibrary } from '../ports/model.ts';
import type { AppliedModels } from './enrichment.repository.ts';

/** Images per call to a process: few, so that all processes get work. */
const IMAGES = 2;
/** Maximum number of objects captioned per image, those of highest confidence first. */
const CAPTIONED_OBJECTS = 5;

type Item = EnrichmentPreview['items'][number];
type Output = Item['outputs'][number];

/** Applies models to a few images, without storing the results. */
export class ModelPreview {
  readonly #parts: { library: ModelLibrary; localJobs: LocalJobs; urls: MediaUrls; swapRgb: () => boolean };

  constructor(parts: { library: ModelLibrary; localJobs: LocalJobs; urls: MediaUrls; swapRgb: () => boolean }) {
    this.#parts = parts;
  }

  async preview(
    context: CallContext,
    datasetId: string,
    store: StoreReads,
    models: AppliedModels,
    nItems: number,
  ): Promise<EnrichmentPreview> {
    const { library } = this.#parts;
    const images = await store.enrichment.sampleImages(nItems);
    const chosen = ENRICHMENT_TYPES.flatMap((type) => models[type] ?? []);
    const installed = await Promise.all(chosen.map((modelId) => library.get(modelId)));
    const imageModels = installed.filter(
      ({ type, runner }) => type !== 'CAPTION_OBJECTS' && runner.kind !== 'precomputed' && type !== 'CAPTION_ENCODING',
    );
    const captioner = installed.find(({ type }) => type === 'CAPTION_OBJECTS');
    const applied = await this.#apply(images, imageModels, context.signal);
    const vectors = vectorsOf(applied);
    const items: Item[] = [];
    for (const image of images) {
      const result = applied.get(image.row);
      const outputs = installed.map((model): Output => {
        const at = imageModels.indexOf(model);
        if (at < 0) return empty(model, model === captioner ? null : 'It can only be seen after it is applied');
        if (!result?.ok) return empty(model, result ? formatMessage(result.reason) : 'The image was left out');
        return present(model, result.outputs[at], similarTo(image.row, vectors, images));
      });
      if (captioner && result?.ok) await this.#captionObjects(image, result, captioner.ref, outputs, context.signal);
      items.push({ ...(await this.#presentItem(context, datasetId, store, image)), outputs });
    }
    return { items };
  }

  async #apply(
    images: ImageToEnrich[],
    models: InstalledModel[],
    signal: AbortSignal,
  ): Promise<Map<number, AppliedImage>> {
    const { localJobs, swapRgb } = this.#parts;
    if (models.length === 0) return new Map();
    const refs = models.map(({ ref }) => ref);
    const work = (chunk: ImageToEnrich[]) => {
      const requests = chunk.map(({ row, path }) => ({ key: row, path, swap_rgb: swapRgb() }));
      return localJobs.applyModels(requests, refs, signal);
    };
    // All calls start at once: the pool queues those for which no process is free.
    const results = await pMap(chunksOf(images), work);
    return new Map(results.flat().map((applied) => [applied.key, applied]));
  }

  /** Captions the objects detected in the same preview. */
  async #captionObjects(
    image: ImageToEnrich,
    result: AppliedImage & { ok: true },
    captioner: ModelRef,
    outputs: Output[],
    signal: AbortSignal,
  ): Promise<void> {
    const found = result.outputs.find((output) => output.kind === 'objects')?.objects ?? [];
    const objects = found.slice(0, CAPTIONED_OBJECTS);
    const output = outputs.find(({ model_id }) => model_id === captioner.model_id);
    if (!output) return;
    if (objects.length === 0) {
      output.failure_reason = 'No objects were found on it in this preview';
      return;
    }
    const { width, height } = result;
    const crops = objects.map(({ box }, key) => ({ key, box }));
    const request = { key: 0, path: image.path, swap_rgb: this.#parts.swapRgb(), width, height, crops };
    const [answer] = await this.#parts.localJobs.applyToCrops([request], [captioner], signal);
    output.objects = objects.map((object, key) => {
      const crop = answer?.ok ? answer.crops.find((one) => one.key === key) : undefined;
      const captioned = crop?.ok ? crop.outputs[0] : undefined;
      return presentObject(object, captioned?.kind === 'caption' ? captioned.caption : null);
    });
  }

  async #presentItem(
    context: CallContext,
    datasetId: string,
    store: StoreReads,
    { media_id }: ImageToEnrich,
  ): Promise<Omit<Item, 'outputs'>> {
    const sign = this.#parts.urls.signer(context, datasetId);
    const details = await store.items.find(media_id);
    const filePath = details?.file_path ?? '';
    return {
      media_id,
      file_name: filePath.slice(filePath.lastIndexOf('/') + 1),
      media_uri: sign('media', media_id),
      media_thumb_uri: sign('thumbnail', media_id),
      width: details?.width ?? 0,
      height: details?.height ?? 0,
    };
  }
}

function* chunksOf(images: ImageToEnrich[]): Generator<ImageToEnrich[]> {
  for (let first = 0; first < images.length; first += IMAGES) yield images.slice(first, first + IMAGES);
}

function vectorsOf(applied: Map<number, AppliedImage>): Map<number, Float32Array> {
  const vectors = new Map<number, Float32Array>();
  for (const [row, result] of applied) {
    const output = result.ok ? result.outputs.find(({ kind }) => kind === 'vector') : undefined;
    if (output?.kind === 'vector') vectors.set(row, output.vector);
  }
  return vectors;
}

/** Returns the other images of the sample, the most similar first. */
function similarTo(row: number, vectors: Map<number, Float32Array>, images: ImageToEnrich[]): string[] {
  const vector = vectors.get(row);
  if (!vector) return [];
  const similarity = (other: Float32Array) => other.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0);
  return images
    .flatMap((image) => {
      const other = vectors.get(image.row);
      return other && image.row !== row ? [{ media_id: image.media_id, similarity: similarity(other) }] : [];
    })
    .sort((a, b) => b.similarity - a.similarity)
    .map(({ media_id }) => media_id);
}

function empty({ ref: { model_id }, type }: InstalledModel, failureReason: string | null): Output {
  return {
    model_id,
    type,
    labels: [],
    objects: [],
    caption: null,
    similar_media_ids: [],
    failure_reason: failureReason,
  };
}

function present(model: InstalledModel, output: ModelOutput | undefined, similarMediaIds: string[]): Output {
  const nothing = empty(model, null);
  if (output === undefined) return { ...nothing, failure_reason: formatMessage(message('model_gave_nothing')) };
  if (output.kind === 'labels') return { ...nothing, labels: output.labels };
  if (output.kind === 'objects') {
    return { ...nothing, objects: output.objects.map((object) => presentObject(object, null)) };
  }
  if (output.kind === 'caption') return { ...nothing, caption: output.caption };
  return output.kind === 'vector'
    ? { ...nothing, similar_media_ids: similarMediaIds }
    : { ...nothing, failure_reason: formatMessage(output.reason) };
}

function presentObject({ label, confidence, box }: DetectedObject, caption: string | null): Output['objects'][number] {
  return { label, confidence, bounding_box: box, caption };
}
