import type { DescribedImage, FailedImage, ImageRequest } from '../../core/compute.port.ts';
import { DEFAULT_PIXEL_LIMIT } from '../images/decode-image.ts';
import { describeImage, type ImageDescription } from '../images/describe-image.ts';
import { ImageProblem } from '../images/image-problem.ts';
import type { DescribePayload } from './child-protocol.ts';
import type { JobContext } from './child-runtime.ts';
import { type EncoderSession, openEncoder } from './encoder-session.ts';

/** Pictures a forward pass takes at once. Measured on the embedded model: 4 to 16 take half the time a picture that 1 or 32 do. */
const BATCH_SIZE = 8;
/** While one is decoded on a library thread, the main thread hashes, measures or encodes another. */
const DECODES_AT_ONCE = 2;

interface Decoded {
  index: number;
  item: ImageRequest;
  description: ImageDescription;
}

/** Handler of `describe_images` jobs: each item is reported as it is finished, a file that gives no picture as failed. */
export async function describeImages(payload: unknown, context: JobContext): Promise<void> {
  const { items, encoder } = payload as DescribePayload;
  const session = await openEncoder(encoder);
  const decoded: Decoded[] = [];
  let next = 0;
  let is_broken = false;

  const flush = async (): Promise<void> => {
    try {
      await encodeAndReport(decoded.splice(0), session, context);
    } catch (error) {
      is_broken = true;
      throw error;
    }
  };
  const decodeOnwards = async (): Promise<void> => {
    while (!is_broken && !context.signal.aborted) {
      const index = next;
      const item = items[index];
      if (item === undefined) return;
      next += 1;
      await context.started(index);
      try {
        const description = await describeImage(item.path, {
          model_px: encoder.input_px,
          pixel_limit: DEFAULT_PIXEL_LIMIT,
          swap_rgb: item.swap_rgb === true,
        });
        decoded.push({ index, item, description });
      } catch (error) {
        context.finished(index, failureOf(item, error));
      }
      if (decoded.length >= BATCH_SIZE) await flush();
    }
  };

  await Promise.all(Array.from({ length: DECODES_AT_ONCE }, decodeOnwards));
  if (!context.signal.aborted) await flush();
}

async function encodeAndReport(batch: Decoded[], session: EncoderSession, context: JobContext): Promise<void> {
  if (batch.length === 0) return;
  const vectors = await session.encode(batch.map(({ description }) => description.model_input));
  for (const [row, { index, item, description }] of batch.entries()) {
    const vector = vectors[row];
    if (vector === undefined) throw new Error('The encoder left out a picture.');
    const result: DescribedImage = {
      key: item.key,
      ok: true,
      width: description.width,
      height: description.height,
      format: description.format,
      pages: description.pages,
      content_hash: description.content_hash,
      size_bytes: description.size_bytes,
      mtime_ms: description.mtime_ms,
      thumbnail: description.thumbnail,
      quality: { ...description.quality },
      exif: description.exif,
      vector,
    };
    context.finished(index, result);
  }
}

/** What went wrong with one item, in words; what nobody foresaw goes to the log. */
export function failureOf(item: ImageRequest, error: unknown): FailedImage {
  if (error instanceof ImageProblem) return { key: item.key, ok: false, kind: error.kind, reason: error.reason };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${text}\n`);
  return { key: item.key, ok: false, kind: 'unreadable', reason: 'The file could not be read.' };
}
