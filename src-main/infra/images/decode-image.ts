import type { Sharp, SharpOptions } from 'sharp';
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

/** Images above this many pixels are refused unless a setting says otherwise: 16383 × 16383, libvips' own default. */
export const DEFAULT_PIXEL_LIMIT = 0x3fff * 0x3fff;
/** Longest side of the working image, unless a model wants more: thumbnails, model inputs and quality statistics all come from it. */
export const WORKING_PX = 512;
/** Transparent parts are shown on this grey, on which both dark and light drawings stay visible. */
const BACKDROP = '#808080';

/** Interleaved RGB, sRGB, 8 bits, upright, opaque. */
export interface WorkingImage {
  data: Buffer;
  width: number;
  height: number;
}

export interface DecodedImage {
  /** Pixels of the file's image after EXIF orientation. */
  width: number;
  height: number;
  /** Format told by the bytes, such as `jpeg`, whatever the extension says. */
  format: string;
  /** Pages or animation frames in the file; the first one is decoded. */
  pages: number;
  has_alpha: boolean;
  working: WorkingImage;
}

export interface DecodeOptions {
  pixelLimit: number;
  /** Longest side of the working image of an upright image of this size; {@link WORKING_PX} when left out. */
  workingPx?: (image: { width: number; height: number }) => number;
  /** Exchange red and blue of TIFF and HEIC images: for files written with BGR taken for RGB. */
  swapRgb?: boolean;
  /** Where the memory comes from; of one budget for all that is decoded in this process when left out. */
  borrow?: Borrow;
}

const ownBudget = new MemoryBudget(DECODE_BYTES);
const borrowOwn: Borrow = (bytes) => ownBudget.borrow(bytes);
/** What a decoder that finds out the size of an image by itself is allowed, one try after the other: most images need little. */
const FALLBACK_BYTES = [DECODE_BYTES / 8, DECODE_BYTES / 2, DECODE_BYTES];

/** Formats that `swap_rgb` is about. */
const SWAPPED_FORMATS: readonly string[] = ['tiff', 'heic', 'heif'];
const LIBVIPS_FORMATS: readonly string[] = ['jpeg', 'png', 'gif', 'webp', 'tiff', 'svg', 'avif', 'heif'];

/** What libvips says of files that are sound and of a kind that it does not know. */
const UNSUPPORTED = new RegExp(
  [
    'compression format has not been built in|unsupported codec|not configured|not supported|no known route',
    'channel limit|not a whole number of bytes|unsupported tiff|samples out of range|bad labq format',
  ].join('|'),
  'i',
);

/** Turns what libvips says into a problem a person can read; the original stays as `cause`. */
function explain(error: unknown, format: SniffedFormat): ImageProblem {
  const message = error instanceof Error ? error.message : String(error);
  const problem = (kind: ImageProblem['kind'], reason: string) => new ImageProblem(kind, reason, { cause: error });
  if (/pixel limit/i.test(message)) {
    return problem('too_large', 'The image has more pixels than the limit allows.');
  }
  if (UNSUPPORTED.test(message)) {
    return problem('unsupported', `This kind of ${format.label} image cannot be decoded here.`);
  }
  if (/premature end|read error|truncat|unexpected end|unable to read|end of file/i.test(message)) {
    return problem('corrupt', `The ${format.label} data are cut short or damaged.`);
  }
  if (/corrupt header|unsupported image format|required field|bad dimensions/i.test(message)) {
    return problem('corrupt', `The ${format.label} header is damaged.`);
  }
  return problem('corrupt', `The ${format.label} data are damaged and cannot be decoded.`);
}

function unsupported(format: SniffedFormat | undefined): ImageProblem {
  if (format === undefined) return new ImageProblem('unsupported', 'This is not an image in a known format.');
  const reason = format.is_image
    ? `${format.label} images cannot be decoded here.`
    : `This is not an image but a file of the kind ${format.label}.`;
  return new ImageProblem('unsupported', reason);
}

function workingPxOf({ workingPx }: DecodeOptions, width: number, height: number): number {
  return workingPx?.({ width, height }) ?? WORKING_PX;
}

/** Scales to the working size, flattens transparency, and gives plain RGB. @param channels More than four: the first three are the image. */
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
  // The header is read without a limit so that the refusal can name the size; nothing is decoded by it.
  const metadata = await sharp(input, { limitInputPixels: false, failOn: 'none' }).metadata();
  const { width, height } = metadata.autoOrient;
  assertWithinLimit(width, height, options.pixelLimit);
  const settings: SharpOptions = {
    limitInputPixels: options.pixelLimit,
    // 'error' refuses truncated and damaged data; 'warning' would also refuse sound images with odd metadata.
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
    working,
  };
}

async function fromPixels(pixels: DecodedPixels, format: SniffedFormat, options: DecodeOptions): Promise<DecodedImage> {
  const { width, height, channels, pages, icc } = pixels;
  const pipeline = sharp(pixels.data, { raw: { width, height, channels }, limitInputPixels: options.pixelLimit });
  const workingPx = workingPxOf(options, width, height);
  const plain = await toWorking(pipeline, workingPx);
  const isForeign = icc !== undefined && icc.toString('latin1', 16, 20) === 'RGB ' && !isSrgbProfile(icc);
  const working = isForeign ? await toWorking(sharp(taggedTiff(plain, icc)), workingPx) : plain;
  return { width, height, format: format.id, pages, has_alpha: channels === 4, working };
}

async function decodeWithFallback(
  input: Buffer | string,
  fallback: FallbackDecoder,
  format: SniffedFormat,
  options: DecodeOptions,
): Promise<DecodedImage> {
  if (typeof input === 'string') {
    throw new ImageProblem('too_large', `${format.label} files of this size cannot be decoded here.`);
  }
  for (const bytes of FALLBACK_BYTES) {
    const pixelLimit = Math.min(options.pixelLimit, fallbackPixelLimit(format.id, bytes));
    const decode = async () => fromPixels(await fallback(input, { pixelLimit }), format, options);
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
    // Of a kind that neither decoder knows, the second cannot tell damage.
    const isDoubtful = format.id === 'tiff';
    return decodeWithFallback(input, fallback, format, options).catch((second: unknown) => {
      throw isDoubtful && second instanceof ImageProblem && second.kind === 'corrupt' ? problem : second;
    });
  }
}

/** A sound file of a kind that no decoder knows often looks damaged to the one that tries. */
function tellKind(error: unknown, format: SniffedFormat | undefined, head: Uint8Array): unknown {
  const kind = format && error instanceof ImageProblem && error.kind === 'corrupt' ? rareKind(format, head) : undefined;
  return kind === undefined
    ? error
    : new ImageProblem('unsupported', `${kind} cannot be decoded here.`, { cause: error });
}

/**
 * Decodes an image once, at reduced size where its format allows, into a small upright sRGB copy.
 *
 * `input` is the file's bytes, or a path for files too big to hold; `head` is the start of the file when `input` is a path.
 * Throws {@link ImageProblem} `corrupt`, `unsupported` or `too_large`.
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
