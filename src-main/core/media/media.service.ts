import { AppError } from '../../contract/errors.ts';
import type { FileSlice, MadeFile } from '../../contract/operations/media.ts';
import type { CallContext } from '../core.ts';
import type { DatasetService } from '../datasets/dataset.service.ts';
import type { ByteRange } from '../ports/byte-range.ts';
import type { ComputePool } from '../ports/compute.ts';
import type { MediaUrls, SignedAddress } from './media-urls.ts';

interface CoverInput extends Omit<SignedAddress, 'media_id'> {
  media_ids: string;
  n: number;
}

/** Bytes behind signed URLs. The signature is the permission; no principal is asked. */
export class MediaService {
  readonly #datasets: DatasetService;
  readonly #urls: MediaUrls;
  readonly #compute: ComputePool;
  readonly #contentType: (fileName: string) => string;

  constructor(parts: {
    datasets: DatasetService;
    urls: MediaUrls;
    compute: ComputePool;
    contentType: (fileName: string) => string;
  }) {
    this.#datasets = parts.datasets;
    this.#urls = parts.urls;
    this.#compute = parts.compute;
    this.#contentType = parts.contentType;
  }

  async original(context: CallContext, input: SignedAddress): Promise<FileSlice> {
    this.#urls.verify('media', input);
    const store = this.#storeFor(context, input);
    const found = await store.read.locateOriginal(input.media_id);
    return this.#slice(found, (range) => this.#contentType(`.${range.format}`));
  }

  async thumbnail(context: CallContext, input: SignedAddress): Promise<FileSlice> {
    this.#urls.verify('thumbnail', input);
    const store = this.#storeFor(context, input);
    const found = await store.read.locateThumbnail(input.media_id);
    return this.#slice(found, () => 'image/webp');
  }

  /** @throws AppError `not_found` when not one of the items has a thumbnail. */
  async cover(context: CallContext, input: CoverInput): Promise<MadeFile> {
    const { media_ids, n, signature } = input;
    this.#urls.verify('cover', { ...input, media_id: media_ids });
    const store = this.#storeFor(context, input);
    const wanted = media_ids.split(',').slice(0, n);
    const found = await Promise.all(wanted.map((mediaId) => store.read.locateThumbnail(mediaId)));
    const thumbnails = found.flatMap((range) => range ?? []);
    if (thumbnails.length === 0) throw new AppError('not_found', 'Image not found');
    return {
      bytes: await this.#compute.composeCover(thumbnails, context.signal),
      content_type: 'image/webp',
      etag: `"${signature}-${n}"`,
      file_name: 'cover.webp',
    };
  }

  /** What somebody may not see any more is not served to them, whatever they were given before. */
  #storeFor(context: CallContext, { dataset_id, u }: Pick<SignedAddress, 'dataset_id' | 'u'>) {
    if (u === undefined) return this.#datasets.storeOf(this.#datasets.getRow(dataset_id));
    const reader = { ...context.principal, user_id: u, is_local_owner: false };
    return this.#datasets.storeOf(this.#datasets.getVisible({ ...context, principal: reader }, dataset_id));
  }

  #slice(range: ByteRange | undefined, contentType: (range: ByteRange) => string): FileSlice {
    if (!range) throw new AppError('not_found', 'Image not found');
    return {
      path: range.path,
      offset: range.offset,
      length: range.length,
      crc32: range.crc32,
      content_type: contentType(range),
      etag: `"${range.content_hash}"`,
      file_name: range.file_name,
    };
  }
}
