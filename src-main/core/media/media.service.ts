import { AppError } from '../../contract/errors.ts';
import type { FileSlice } from '../../contract/operations/media.ts';
import type { CallContext } from '../core.ts';
import type { DatasetService } from '../datasets/dataset.service.ts';
import type { ByteRange } from '../ports/dataset-reader.ts';
import type { MediaUrls } from './media-urls.ts';

interface SignedInput {
  dataset_id: string;
  media_id: string;
  expires: string;
  signature: string;
}

/** Bytes behind signed URLs. The signature is the permission; no principal is asked. */
export class MediaService {
  readonly #datasets: DatasetService;
  readonly #urls: MediaUrls;
  readonly #contentType: (fileName: string) => string;

  constructor(datasets: DatasetService, urls: MediaUrls, contentType: (fileName: string) => string) {
    this.#datasets = datasets;
    this.#urls = urls;
    this.#contentType = contentType;
  }

  async original(_context: CallContext, input: SignedInput): Promise<FileSlice> {
    this.#urls.verify('media', input);
    const store = this.#datasets.storeOf(this.#datasets.getRow(input.dataset_id));
    const found = await store.read.locateOriginal(input.media_id);
    return this.#slice(found, (range) => this.#contentType(`.${range.format}`));
  }

  async thumbnail(_context: CallContext, input: SignedInput): Promise<FileSlice> {
    this.#urls.verify('thumbnail', input);
    const store = this.#datasets.storeOf(this.#datasets.getRow(input.dataset_id));
    const found = await store.read.locateThumbnail(input.media_id);
    return this.#slice(found, () => 'image/webp');
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
