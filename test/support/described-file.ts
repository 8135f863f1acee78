import type { PendingFile } from '../../src-main/core/ports/dataset-files.ts';
import type { DescribedImage } from '../../src-main/core/ports/local-jobs.ts';
import { EVEN_GREY } from './even-grey.ts';

/** Returns a made-up result of reading a file, without reading it. */
export function describedFile(
  { file_id, file_path }: Pick<PendingFile, 'file_id' | 'file_path'>,
  looks: Float32Array,
  parts: Partial<Pick<DescribedImage, 'width' | 'height' | 'thumbnail' | 'quality'>> = {},
): DescribedImage {
  return {
    key: file_id,
    ok: true,
    width: 640,
    height: 480,
    format: 'jpeg',
    pages: 1,
    content_hash: file_path,
    size_bytes: 1,
    mtime_ms: 1,
    thumbnail: new Uint8Array(4),
    quality: EVEN_GREY,
    exif: null,
    vectors: { looks },
    ...parts,
  };
}
