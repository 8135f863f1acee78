import { createHash } from 'node:crypto';
import { message } from '../../contract/messages.ts';
import type { ImageQuality } from '../../core/ports/image-quality.ts';
import { type DecodeOptions, decodeImage, type WorkingImage } from './decode-image.ts';
import { type Exif, readExif } from './exif.ts';
import type { PixelSize } from './image-input.ts';
import { ImageProblem } from './image-problem.ts';
import { qualityStatistics } from './quality-statistics.ts';
import { type FileContent, readStableFile } from './read-file.ts';
import { atWorkingSize, makeThumbnail, workingPxFor } from './working-image.ts';

export interface DescribeOptions<Prepared> extends Omit<DecodeOptions, 'workingPx'> {
  /** Returns the scale, relative to the image's own size, at which the models need the image. */
  neededScale(image: PixelSize): number;
  /** Prepares the models' inputs from the decoded image. */
  prepare(working: WorkingImage, image: PixelSize): Promise<Prepared>;
}

export interface ImageDescription<Prepared> {
  /** Width in pixels after EXIF orientation. */
  width: number;
  height: number;
  format: string;
  /** Number of pages or animation frames in the file; the first is described. */
  pages: number;
  has_alpha: boolean;
  /** SHA-256 of the file's bytes, lower-case hex. */
  content_hash: string;
  size_bytes: number;
  /** Time of last modification; 0 for bytes that did not come from a file. */
  mtime_ms: number;
  /** The encoded thumbnail (WebP). */
  thumbnail: Buffer;
  quality: ImageQuality;
  /** EXIF metadata; null when the file has none or is too large for memory. */
  exif: Exif | null;
  model_input: Prepared;
}

function contentOf(bytes: Buffer): FileContent {
  if (bytes.length === 0) throw new ImageProblem('empty', message('file_empty'));
  const contentHash = createHash('sha256').update(bytes).digest('hex');
  return { input: bytes, head: bytes, content_hash: contentHash, size_bytes: bytes.length, mtime_ms: 0 };
}

/**
 * Computes everything that the index stores for an image, with one read and one decode.
 * @param source Path or content of an image.
 * @throws {@link ImageProblem} with a readable reason when the file contains no usable image.
 */
export async function describeImage<Prepared>(
  source: string | Buffer,
  options: DescribeOptions<Prepared>,
): Promise<ImageDescription<Prepared>> {
  const content = typeof source === 'string' ? await readStableFile(source) : contentOf(source);
  const { working, exif_block, ...facts } = await decodeImage(
    content.input,
    { ...options, workingPx: (image) => workingPxFor(image, options.neededScale(image)) },
    content.head,
  );
  const thumbnail = await makeThumbnail(working);
  const modelInput = await options.prepare(working, facts);
  const { content_hash, size_bytes, mtime_ms } = content;
  const quality = qualityStatistics(await atWorkingSize(working));
  const exif = typeof content.input === 'string' ? null : await readExif(content.input, exif_block);
  return { ...facts, content_hash, size_bytes, mtime_ms, thumbnail, quality, exif, model_input: modelInput };
}
