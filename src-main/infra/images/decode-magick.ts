import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { IMagickImage, MagickFormat } from '@imagemagick/magick-wasm';
import { message } from '../../contract/messages.ts';
import type { DecodedPixels, FallbackDecoder } from './decoded-pixels.ts';
import { ImageProblem } from './image-problem.ts';
import { readJpeg2000Header } from './jpeg2000-header.ts';
import { assertWithinLimit } from './pixel-limit.ts';

type Magick = typeof import('@imagemagick/magick-wasm');

/** WebAssembly memory never shrinks, so an instance that decoded more than this many pixels is discarded. */
const MAX_REUSED_PIXELS = 24e6;
/** Maximum memory in bytes of all images in the instance; the library refuses larger ones before it allocates memory. */
const MEMORY_LIMIT_BYTES = 1536n * 1024n * 1024n;
/**
 * Maximum memory in bytes for one JPEG 2000 image, and bytes per pixel and component that OpenJPEG needs (measured: 20 to 25 bytes per pixel
 * of three components). Below the size at which an instance is discarded, so that two instances never exist at once.
 */
const JPEG2000_BYTES = 0.6 * 1024 ** 3;
const COMPONENT_BYTES = 8;
/** Maximum side in pixels and maximum number of images that the library accepts per file. */
const SIDE_LIMIT_PX = 65_535n;
const LIST_LIMIT = 64n;
/** Number of pixels copied out of the WebAssembly memory at a time. */
const STRIP_PIXELS = 1 << 20;

const load = createRequire(import.meta.url);
let loaded: Promise<Magick> | undefined;

async function start(): Promise<Magick> {
  const entry = load.resolve('@imagemagick/magick-wasm');
  // The library never releases its instance; only a new copy of the module creates a new one.
  delete load.cache[entry];
  const magick = load(entry) as Magick;
  await magick.initializeImageMagick(await readFile(load.resolve('@imagemagick/magick-wasm/magick.wasm')));
  const { ResourceLimits } = magick;
  ResourceLimits.memory = MEMORY_LIMIT_BYTES;
  ResourceLimits.maxMemoryRequest = MEMORY_LIMIT_BYTES;
  ResourceLimits.disk = 0n;
  ResourceLimits.width = SIDE_LIMIT_PX;
  ResourceLimits.height = SIDE_LIMIT_PX;
  ResourceLimits.listLength = LIST_LIMIT;
  return magick;
}

/** Runs work on the library's instance. Discards the instance when the work fails for any reason other than a refused file. */
async function withMagick<T>(work: (magick: Magick) => T): Promise<T> {
  loaded ??= start();
  const current = loaded;
  const magick = await current.catch((error: unknown) => {
    if (loaded === current) loaded = undefined;
    throw error;
  });
  try {
    return work(magick);
  } catch (error) {
    if (error instanceof ImageProblem) throw error;
    if (!(error instanceof magick.MagickError)) loaded = undefined;
    throw error;
  }
}

function explain(error: unknown): ImageProblem {
  if (error instanceof ImageProblem) return error;
  const cause = { cause: error };
  const text = error instanceof Error ? error.message : String(error);
  if (/resource|limit|memory/i.test(text)) {
    return new ImageProblem('too_large', message('image_memory_refused'), cause);
  }
  if (/not ?supported|unsupported|not configured|unrecognized.*compression/i.test(text)) {
    return new ImageProblem('unsupported', message('image_unsupported'), cause);
  }
  if (/end ?of ?file|insufficient|truncat|too short|length and filesize/i.test(text)) {
    return new ImageProblem('corrupt', message('image_cut'), cause);
  }
  return new ImageProblem('corrupt', message('image_damaged'), cause);
}

function pixelsOf(magick: Magick, image: IMagickImage, pages: number): DecodedPixels {
  const { width, height } = image;
  const { ColorSpace } = magick;
  const profile = image.colorSpace === ColorSpace.sRGB ? image.getColorProfile()?.data : undefined;
  if (image.colorSpace !== ColorSpace.sRGB && image.colorSpace !== ColorSpace.Gray) image.colorSpace = ColorSpace.sRGB;
  const channels = image.hasAlpha ? 4 : 3;
  const data = new Uint8Array(width * height * channels);
  const rows = Math.max(1, Math.floor(STRIP_PIXELS / width));
  image.getPixels((pixels) => {
    for (let y = 0; y < height; y += rows) {
      const strip = pixels.toByteArray(0, y, width, Math.min(rows, height - y), channels === 4 ? 'RGBA' : 'RGB');
      if (strip === null) throw new ImageProblem('corrupt', message('image_damaged'));
      data.set(strip, y * width * channels);
    }
  });
  const found: DecodedPixels = { data, width, height, channels, pages };
  return profile === undefined ? found : { ...found, icc: Buffer.from(profile) };
}

/** Returns the format to read `bytes` as: a JPEG 2000 file is either boxed or a bare codestream. */
function coderFor(format: MagickFormat, bytes: Buffer): MagickFormat {
  return format === 'JP2' && bytes[0] === 0xff ? 'J2K' : format;
}

/** Reads the first image after its header has shown that it is within the pixel limit. Warnings count as damage. */
function decodeFirst(
  magick: Magick,
  bytes: Buffer,
  format: MagickFormat,
  { pixelLimit, reduceFactor = 0 }: { pixelLimit: number; reduceFactor?: number },
): DecodedPixels {
  const settings = new magick.MagickReadSettings({ format: coderFor(format, bytes), frameIndex: 0, frameCount: 1 });
  if (reduceFactor > 0) settings.setDefine('jp2:reduce-factor', String(reduceFactor));
  const info = magick.MagickImageInfo.create(bytes, settings);
  assertWithinLimit(info.width, info.height, pixelLimit);
  const image = magick.MagickImage.create();
  try {
    let warning: Error | undefined;
    image.onWarning = ({ error }) => {
      warning ??= error;
    };
    image.read(bytes, settings);
    if (warning !== undefined) throw explain(warning);
    assertWithinLimit(image.width, image.height, pixelLimit);
    if (format === 'TIFF') image.autoOrient();
    if (image.width * image.height > MAX_REUSED_PIXELS) loaded = undefined;
    return pixelsOf(magick, image, 1);
  } finally {
    image.dispose();
  }
}

/**
 * Creates a decoder for one format with ImageMagick's WebAssembly build. No other coder can process the file.
 * The decoder throws {@link ImageProblem} `corrupt`, `unsupported` or `too_large`.
 */
export function decodeWithMagick(format: MagickFormat): FallbackDecoder {
  return async (bytes, { pixelLimit }) => {
    try {
      return await withMagick((magick) => decodeFirst(magick, bytes, format, { pixelLimit }));
    } catch (error) {
      throw explain(error);
    }
  };
}

/**
 * Decodes a JPEG 2000 image at half its size, a quarter and so on if its full size takes more memory than {@link JPEG2000_BYTES}.
 * @throws ImageProblem `corrupt`, `unsupported` or `too_large`: an image that cannot be reduced enough.
 */
export const decodeJpeg2000: FallbackDecoder = async (bytes, { pixelLimit, memoryBytes }) => {
  const header = readJpeg2000Header(bytes);
  if (header === undefined) throw new ImageProblem('corrupt', message('jpeg2000_header_damaged'));
  const { width, height, components, levels } = header;
  assertWithinLimit(width, height, pixelLimit);
  const bytesAt = (factor: number) =>
    Math.ceil(width / 2 ** factor) * Math.ceil(height / 2 ** factor) * (components * COMPONENT_BYTES + 4);
  let reduceFactor = 0;
  while (reduceFactor < levels && bytesAt(reduceFactor) > JPEG2000_BYTES) reduceFactor += 1;
  if (bytesAt(reduceFactor) > Math.min(JPEG2000_BYTES, memoryBytes)) {
    throw new ImageProblem('too_large', message('jpeg2000_memory_refused', { width, height, limit: '0.6' }));
  }
  try {
    const pixels = await withMagick((magick) => decodeFirst(magick, bytes, 'JP2', { pixelLimit, reduceFactor }));
    return reduceFactor === 0 ? pixels : { ...pixels, full_size: { width, height } };
  } catch (error) {
    throw explain(error);
  }
};

/** Decodes the largest image of a Windows icon file; `pages` counts all of them. */
export const decodeIcon: FallbackDecoder = async (bytes, { pixelLimit }) => {
  try {
    return await withMagick((magick) => {
      const settings = new magick.MagickReadSettings({ format: 'ICO' });
      const images = magick.MagickImageCollection.create();
      try {
        images.read(bytes, settings);
        const [largest] = [...images].sort((a, b) => b.width * b.height - a.width * a.height);
        if (largest === undefined) throw new ImageProblem('corrupt', message('icon_empty'));
        assertWithinLimit(largest.width, largest.height, pixelLimit);
        return pixelsOf(magick, largest, images.length);
      } finally {
        images.dispose();
      }
    });
  } catch (error) {
    throw explain(error);
  }
};
