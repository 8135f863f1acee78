import { AppError, invalidField } from '../../contract/errors.ts';
import type { UploadedFile } from '../../contract/fields.ts';
import { message } from '../../contract/messages.ts';
import type { EntityType } from '../../contract/schemas/explore.ts';
import type { QueryImageAnchor, QueryImageDetails, Region } from '../../contract/schemas/query-image.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { DatasetModelsService } from '../enrichment/dataset-models.service.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Encoders } from '../ports/encoder.ts';
import type { FailedImage, PixelBox } from '../ports/image.ts';
import type { DescribedImage, LocalJobs } from '../ports/local-jobs.ts';
import type { EncodedVector } from '../ports/query.ts';
import { EMBEDDING_SPACES } from '../ports/vector-space.ts';
import type { QueryImage } from './query-image.ts';
import type { QueryImages } from './query-images.ts';

interface Parts {
  datasets: DatasetCatalog;
  models: DatasetModelsService;
  localJobs: LocalJobs;
  images: QueryImages;
  swapRgb: () => boolean;
}

/** Data of a file that searches and previews use: size, box, vectors and thumbnail. */
type Described = Pick<QueryImage, 'width' | 'height' | 'box' | 'thumbnail' | 'vectors' | 'content_hash'>;

/** Creates query images from uploads and from regions of items. */
export class QueryImageService {
  readonly #parts: Parts;

  /** The operations that this service handles. */
  readonly handlers = {
    search_image_similarity: (context, input) => this.upload(context, input),
    search_region: (context, input) => this.ofRegion(context, input),
    get_query_image: (context, input) => this.get(context, input),
  } satisfies SomeHandlers;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * @throws AppError `conflict` unless the dataset is READY; `invalid_request` or `too_large` for a file that cannot be used as an image.
   */
  async upload(
    context: DatasetContext,
    input: { entity_type: EntityType; bounding_box?: Region | undefined; file: UploadedFile },
  ): Promise<QueryImageAnchor> {
    assertReady(context);
    const { path, file_name } = input.file;
    return this.#add(context, { path, file_name, entity_type: input.entity_type, region: input.bounding_box });
  }

  /** @throws AppError as {@link upload}; `not_found` for an unknown item. */
  async ofRegion(
    context: DatasetContext,
    input: { media_id: string; entity_type: EntityType; bounding_box: Region },
  ): Promise<QueryImageAnchor> {
    assertReady(context);
    const original = await this.#parts.datasets.storeOf(context.dataset).items.locateOriginal(input.media_id);
    if (!original) throw new AppError('not_found', message('image_not_found'));
    const { path, file_name } = original;
    return this.#add(context, { path, file_name, entity_type: input.entity_type, region: input.bounding_box });
  }

  get({ dataset }: DatasetContext, { anchor_media_id }: { anchor_media_id: string }): QueryImageDetails {
    const kept = this.#parts.images.get(dataset.dataset_id, anchor_media_id);
    return {
      ...anchor(anchor_media_id, kept.expires_ms),
      file_name: kept.file_name,
      width: kept.width,
      height: kept.height,
      bounding_box: kept.box,
      thumbnail: `data:image/webp;base64,${Buffer.from(kept.thumbnail).toString('base64')}`,
    };
  }

  async #add(
    { dataset, signal }: DatasetContext,
    of: { path: string; file_name: string; entity_type: EntityType; region: Region | undefined },
  ): Promise<QueryImageAnchor> {
    const { datasets, models, images } = this.#parts;
    const { dataset_id } = dataset;
    const encoders = await models.availableEncodersOf(datasets.browsable(dataset), of.entity_type);
    const whole = await this.#describe(of.path, encoders, signal);
    const box = of.region && boxOf(of.region, whole);
    const described = box ? await this.#describePart(of.path, whole, box, encoders, signal) : wholeOf(whole, encoders);
    const { anchor_media_id, expires_ms } = images.add({ dataset_id, file_name: of.file_name, ...described });
    return anchor(anchor_media_id, expires_ms);
  }

  async #describe(path: string, encoders: Encoders, signal: AbortSignal): Promise<DescribedImage> {
    const { localJobs, swapRgb } = this.#parts;
    const [result] = await localJobs.describeImages([{ key: 0, path, swap_rgb: swapRgb() }], encoders, signal);
    if (result?.ok) return result;
    throw refusal(result);
  }

  async #describePart(
    path: string,
    { width, height }: DescribedImage,
    box: PixelBox,
    encoders: Encoders,
    signal: AbortSignal,
  ): Promise<Described> {
    const { localJobs, swapRgb } = this.#parts;
    const requested = EMBEDDING_SPACES.flatMap((space) => {
      const encoder = encoders[space];
      return encoder ? [{ space, encoder }] : [];
    });
    const [result] = await localJobs.applyToCrops(
      [{ key: 0, path, swap_rgb: swapRgb(), width, height, crops: [{ key: 0, box }] }],
      requested.map(({ encoder }) => encoder.model),
      signal,
    );
    if (!result?.ok) throw refusal(result);
    const [crop] = result.crops;
    if (!crop?.ok) {
      const problem = crop?.reason ?? message('image_gave_nothing');
      throw new AppError('invalid_request', message('query_image_unusable', { problem }));
    }
    const vectors = requested.flatMap(({ space, encoder }, at): EncodedVector[] => {
      const output = crop.outputs[at];
      return output?.kind === 'vector' ? [{ space, encoder_id: encoder.encoder_id, vector: output.vector }] : [];
    });
    return { width, height, box, thumbnail: crop.thumbnail, vectors, content_hash: null };
  }
}

function assertReady({ dataset: { status_new } }: DatasetContext): void {
  if (status_new !== 'READY') {
    throw new AppError('conflict', message('visual_search_needs_ready', { status: status_new }));
  }
}

function wholeOf(image: DescribedImage, encoders: Encoders): Described {
  const { width, height, thumbnail, content_hash } = image;
  const vectors = EMBEDDING_SPACES.flatMap((space): EncodedVector[] => {
    const [vector, encoder] = [image.vectors[space], encoders[space]];
    return vector && encoder ? [{ space, encoder_id: encoder.encoder_id, vector }] : [];
  });
  return { width, height, box: null, thumbnail, vectors, content_hash };
}

/**
 * Converts a region to whole pixels.
 * @returns Undefined if the region covers the whole image.
 * @throws AppError `invalid_input` for a region outside the image.
 */
function boxOf({ unit, ...region }: Region, image: { width: number; height: number }): PixelBox | undefined {
  const [across, down] = unit === 'fraction' ? [image.width, image.height] : [1, 1];
  const left = Math.round(region.x * across);
  const top = Math.round(region.y * down);
  const right = Math.min(image.width, Math.round((region.x + region.width) * across));
  const bottom = Math.min(image.height, Math.round((region.y + region.height) * down));
  if (left >= image.width || top >= image.height) {
    const { width, height } = image;
    throw invalidField('bounding_box', message('region_outside_image', { width, height }));
  }
  const box = { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
  return box.width === image.width && box.height === image.height ? undefined : box;
}

function refusal(failed: FailedImage | { ok: true } | undefined): AppError {
  const { kind, reason } =
    failed && !failed.ok ? failed : { kind: 'unreadable', reason: message('image_gave_nothing') };
  const unusable = message('query_image_unusable', { problem: reason });
  return new AppError(kind === 'too_large' ? kind : 'invalid_request', unusable);
}

function anchor(anchorId: string, expiresMs: number): QueryImageAnchor {
  return { anchor_media_id: anchorId, anchor_type: 'UPLOAD', expires_at: new Date(expiresMs).toISOString() };
}
