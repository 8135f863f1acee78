import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { FileSlice, MadeFile } from '../../contract/operations/media.ts';
import type { CoverPx } from '../../contract/schemas/explore.ts';
import type { CallContext } from '../core.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { ByteRange } from '../ports/byte-range.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';
import type { LocalJobs } from '../ports/local-jobs.ts';
import type { AddressAccess } from './address-access.ts';
import { readCovers } from './cover-ids.ts';
import type { SignedAddress } from './media-urls.ts';
import type { MediaKind } from './sign-url.ts';

interface CoverSheetInput extends Omit<SignedAddress, 'media_id'> {
  covers: string;
  n: number;
  px: CoverPx;
}

/** Serves the bytes behind signed URLs. The signature is the permission; no principal is checked. */
export class MediaService {
  readonly #datasets: DatasetCatalog;
  readonly #addresses: AddressAccess;
  readonly #localJobs: LocalJobs;
  readonly #contentType: (fileName: string) => string;

  /** The operations that this service handles. */
  readonly handlers = {
    get_media_file: (context, input) => this.original(context, input),
    get_thumbnail: (context, input) => this.thumbnail(context, input),
    get_cover_sheet: (context, input) => this.coverSheet(context, input),
  } satisfies SomeHandlers;

  constructor(parts: {
    datasets: DatasetCatalog;
    addresses: AddressAccess;
    localJobs: LocalJobs;
    contentType: (fileName: string) => string;
  }) {
    this.#datasets = parts.datasets;
    this.#addresses = parts.addresses;
    this.#localJobs = parts.localJobs;
    this.#contentType = parts.contentType;
  }

  async original(_context: CallContext, input: SignedAddress): Promise<FileSlice> {
    const store = this.#storeOf('media', input);
    const found = await store.items.locateOriginal(input.media_id);
    return this.#slice(found, (range) => this.#contentType(`.${range.format}`));
  }

  async thumbnail(_context: CallContext, input: SignedAddress): Promise<FileSlice> {
    const store = this.#storeOf('thumbnail', input);
    const found = await store.items.locateThumbnail(input.media_id);
    return this.#slice(found, () => 'image/webp');
  }

  /** @throws AppError `not_found` if none of the items has a thumbnail. */
  async coverSheet(context: CallContext, input: CoverSheetInput): Promise<MadeFile> {
    const { covers, n, px, signature } = input;
    const store = this.#storeOf('cover', { ...input, media_id: covers });
    const requested = readCovers(covers).map((ids) => ids.slice(0, n));
    const found = await store.items.locateThumbnails(requested.flat());
    if (found.every((range) => range === undefined)) throw new AppError('not_found', message('image_not_found'));
    const ranges = found.values();
    const thumbnails = requested.map((ids) => ids.map(() => ranges.next().value));
    return {
      bytes: await this.#localJobs.drawCovers(thumbnails, px, context.signal),
      content_type: 'image/webp',
      etag: `"${signature}-${n}-${px}"`,
      file_name: 'covers.webp',
    };
  }

  #storeOf(kind: MediaKind, address: SignedAddress): DatasetStore {
    return this.#datasets.storeOf(this.#addresses.open(kind, address));
  }

  #slice(range: ByteRange | undefined, contentType: (range: ByteRange) => string): FileSlice {
    if (!range) throw new AppError('not_found', message('image_not_found'));
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
