import type { Sharp, SharpOptions } from 'sharp';
import { type Message, message } from '../../contract/messages.ts';
import {
  type Borrow,
  DECODE_BYTES,
  fallbackPixelLimit,
  libvipsBytes,
  MemoryBudget,
  withMemory,
} from './decode-memory.ts';
import type { DecodedPixels, FallbackDecoder } from './decoded-pixels.ts';
import { fallbackDecoders } from './fallback-decoders.ts';
import { ImageProblem } from './image-problem.ts';
import { asStillImage } from './image-sequence.ts';
import { assertWithinLimit } from './pixel-limit.ts';
import { rareKind } from './rare-kind.ts';
import { sharp } from './sharp-runtime.ts';
import { type SniffedFormat, sniffFormat } from './sniff-format.ts';
import { isSrgbProfile } from './srgb-profile.ts';
import { taggedTiff } from './tagged-tiff.ts';

/** Default maximum number of pixels per image: 16383 × 16383, the default of libvips. */
export const DEFAULT_PIXEL_LIMIT = 0x3fff * 0x3fff;
/**
 * Longest side of the working image in pixels, unless a model needs more. Thumbnails, model inputs and quality statistics use this image.
 */
export const WORKING_PX = 512;
/** Background colour of transparent parts: a grey on which both dark and light drawings stay visible. */
const BACKDROP = '#808080';

/** Decoded image: interleaved RGB, sRGB, 8 bits per channel, upright, opaque. */
export interface WorkingImage {
  data: Buffer;
  width: number;
  height: number;
}

export interface DecodedImage {
  /** Width of the file's image in pixels, after EXIF orientation. */
  width: number;
  height: number;
  /** Format identified by content, such as `jpeg`, independent of the file extension. */
  format: string;
  /** Number of pages or animation frames in the file; the first is decoded. */
  pages: number;
  has_alpha: boolean;
  /** The EXIF block of the file; null if it has none, undefined if the decoder does not look for one. */
  exif_block?: Buffer | null;
  working: WorkingImage;
}

export interface DecodeOptions {
  pixelLimit: number;
  /** Returns the longest side of the working image for an upright image of this size (default {@link WORKING_PX}). */
  workingPx?: (image: { width: number; height: number }) => number;
  /** Swaps red and blue of TIFF and HEIC images, for files written with BGR data declared as RGB. */
  swapRgb?: boolean;
  /** Reserves memory for decoding (default: the memory budget that all decoding in this process shares). */
  borrow?: Borrow;
}

const ownBudget = new MemoryBudget(DECODE_BYTES);
const borrowOwn: Borrow = (bytes) => ownBudget.borrow(bytes);
/** Memory limits in bytes of successive attempts with a decoder that finds out the image size by itself. Most images need little. */
const FALLBACK_BYTES = [DECODE_BYTES / 8, DECODE_BYTES / 2, DECODE_BYTES];

/** Formats to which `swap_rgb` applies. */
const SWAPPED_FORMATS: readonly string[] = ['tiff', 'heic', 'heif'];
const LIBVIPS_FORMATS: readonly string[] = ['jpeg', 'png', 'gif', 'webp', 'tiff', 'svg', 'avif', 'heif'];

/** Messages of libvips for valid files whose variant of the format it does not support. */
const UNSUPPORTED = new RegExp(
  [
    'compression format has not been built in|unsupported codec|not configured|not supported|no known route',
    'channel limit|not a whole number of bytes|unsupported tiff|samples out of range|bad labq format',
  ].join('|'),
  'i',
);

/** Converts an error of libvips to a problem that a user can read; the original error is its `cause`. */
function explain(error: unknown, format: SniffedFormat): ImageProblem {
  const text = error instanceof Error ? error.message : String(error);
  const problem = (kind: ImageProblem['kind'], reason: Message) => new ImageProblem(kind, reason, { cause: error });
  if (/pixel limit/i.test(text)) {
    return problem('too_large', message('image_above_limit'));
  }
  if (UNSUPPORTED.test(text)) {
    return problem('unsupported', message('image_variant_unsupported', { format: format.label }));
  }
  if (/premature end|read error|truncat|unexpected end|unable to read|end of file/i.test(text)) {
    return problem('corrupt', message('image_data_cut', { format: format.label }));
  }
  if (/corrupt header|unsupported image format|required field|bad dimensions/i.test(text)) {
    return problem('corrupt', message('image_header_damaged', { format: format.label }));
  }
  return problem('corrupt', message('image_data_damaged', { format: format.label }));
}

function unsupported(format: SniffedFormat | undefined): ImageProblem {
  if (format === undefined) return new ImageProblem('unsupported', message('image_format_unknown'));
  const reason = format.is_image
    ? message('image_format_unsupported', { format: format.label })
    : message('image_of_other_kind', { format: format.label });
  return new ImageProblem('unsupported', reason);
}

function workingPxOf({ workingPx }: DecodeOptions, width: number, height: number): number {
  return workingPx?.({ width, height }) ?? WORKING_PX;
}

/**
 * Scales to the working size, flattens transparency and converts to plain RGB.
 * @param channels Number of channels; with more than four, the first three are the image.
 */
async function toWorking(pipeline: Sharp, workingPx: number, channels = 4): Promise<WorkingImage> {
  const scaled = pipeline.resize(workingPx, workingPx, { fit: 'inside', withoutEnlargement: true });
  const opaque = channels > 4 ? scaled.removeAlpha() : scaled.flatten({ background: BACKDROP });
  const { data, info } = await opaque
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 3) throw new Error(`expected 3 channels, got ${info.channels}`);
  return { data, width: info.width, height: info.height };
}

function swapRedAndBlue({ data }: WorkingImage): void {
  for (let at = 0; at < data.length; at += 3) {
    const red = data[at] ?? 0;
    data[at] = data[at + 2] ?? 0;
    data[at + 2] = red;
  }
}

async function decodeWithLibvips(
  input: Buffer | string,
  format: SniffedFormat,
  options: DecodeOptions,
): Promise<DecodedImage> {
  // Reads the header without a pixel limit, so that the refusal can state the size. Decodes nothing.
  const metadata = await sharp(input, { limitInputPixels: false, failOn: 'none' }).metadata();
  const { width, height } = metadata.autoOrient;
  assertWithinLimit(width, height, options.pixelLimit);
  const settings: SharpOptions = {
    limitInputPixels: options.pixelLimit,
    // 'error' refuses truncated and damaged data; 'warning' would also refuse valid images with unusual metadata.
    failOn: 'error',
    sequentialRead: true,
    autoOrient: true,
    ignoreIcc: metadata.icc !== undefined && isSrgbProfile(metadata.icc),
  };
  const pipeline = sharp(input, settings);
  const working = await withMemory(options.borrow ?? borrowOwn, libvipsBytes(metadata), () =>
    toWorking(pipeline, workingPxOf(options, width, height), metadata.channels),
  );
  return {
    width,
    height,
    format: format.id,
    pages: metadata.pages ?? 1,
    has_alpha: metadata.hasAlpha,
    exif_block: metadata.exif ?? null,
    working,
  };
}

async function fromPixels(pixels: DecodedPixels, format: SniffedFormat, options: DecodeOptions): Promise<DecodedImage> {
  const { width, height, channels, pages, icc } = pixels;
  const pipeline = sharp(pixels.data, { raw: { width, height, channels }, limitInputPixels: options.pixelLimit });
  const full = pixels.full_size ?? { width, height };
  const workingPx = workingPxOf(options, full.width, full.height);
  const plain = await toWorking(pipeline, workingPx);
  const isForeign = icc !== undefined && icc.toString('latin1', 16, 20) === 'RGB ' && !isSrgbProfile(icc);
  const working = isForeign ? await toWorking(sharp(taggedTiff(plain, icc)), workingPx) : plain;
  return { ...full, format: format.id, pages, has_alpha: channels === 4, working };
}

async function decodeWithFallback(
  input: Buffer | string,
  fallback: FallbackDecoder,
  format: SniffedFormat,
  options: DecodeOptions,
): Promise<DecodedImage> {
  if (typeof input === 'string') {
    throw new ImageProblem('too_large', message('image_file_too_large', { format: format.label }));
  }
  for (const bytes of FALLBACK_BYTES) {
    const pixelLimit = Math.min(options.pixelLimit, fallbackPixelLimit(format.id, bytes));
    const decode = async () => fromPixels(await fallback(input, { pixelLimit, memoryBytes: bytes }), format, options);
    try {
      return await withMemory(options.borrow ?? borrowOwn, bytes, decode);
    } catch (error) {
      const isTooLarge = error instanceof ImageProblem && error.kind === 'too_large';
      if (!isTooLarge || bytes === DECODE_BYTES) throw error;
    }
  }
  throw new Error('there is a last try');
}

async function decodeAs(
  input: Buffer | string,
  format: SniffedFormat | undefined,
  options: DecodeOptions,
): Promise<DecodedImage> {
  if (format === undefined || !format.is_image) throw unsupported(format);
  const fallback = fallbackDecoders[format.id];
  if (!LIBVIPS_FORMATS.includes(format.id)) {
    if (fallback === undefined) throw unsupported(format);
    return decodeWithFallback(input, fallback, format, options);
  }
  try {
    return await decodeWithLibvips(input, format, options);
  } catch (error) {
    const problem = error instanceof ImageProblem ? error : explain(error, format);
    if (fallback === undefined || problem.kind !== 'unsupported') throw problem;
    // When neither decoder supports the variant of the format, an error of the second does not prove damage.
    const isDoubtful = format.id === 'tiff';
    return decodeWithFallback(input, fallback, format, options).catch((second: unknown) => {
      throw isDoubtful && second instanceof ImageProblem && second.kind === 'corrupt' ? problem : second;
    });
  }
}

/** Reports an unsupported variant of a format as such: a decoder that does not know a variant often reports the valid file as damaged. */
function tellKind(error: unknown, format: SniffedFormat | undefined, head: Uint8Array): unknown {
  const kind = format && error instanceof ImageProblem && error.kind === 'corrupt' ? rareKind(format, head) : undefined;
  return kind === undefined
    ? error
    : new ImageProblem('unsupported', message('image_kind_unsupported', { kind }), { cause: error });
}

/**
 * Decodes an image once into a small upright sRGB copy, at reduced size where the format allows it.
 * @param input Content of the file, or a path for files that are too large for memory.
 * @param head Start of the file if `input` is a path.
 * @throws {@link ImageProblem} `corrupt`, `unsupported` or `too_large`.
 */
export async function decodeImage(
  input: Buffer | string,
  options: DecodeOptions,
  head: Uint8Array = typeof input === 'string' ? new Uint8Array() : input,
): Promise<DecodedImage> {
  const format = sniffFormat(head);
  const decoded = await decodeAs(asStillImage(input, format), format, options).catch((error: unknown) => {
    throw tellKind(error, format, head);
  });
  if (options.swapRgb === true && SWAPPED_FORMATS.includes(decoded.format)) swapRedAndBlue(decoded.working);
  return decoded;
}
