import { createRequire } from 'node:module';
import { message } from '../../contract/messages.ts';
import type { DecodedPixels } from './decoded-pixels.ts';
import { ImageProblem } from './image-problem.ts';
import { assertWithinLimit } from './pixel-limit.ts';
import { sharp } from './sharp-runtime.ts';

const HEIC = 'HEIC';

/** The functions of libheif's WebAssembly build that are used here. Handles are opaque. */
interface LibHeif {
  heif_context_alloc(): unknown;
  heif_context_free(context: unknown): void;
  heif_context_read_from_memory(context: unknown, bytes: Uint8Array): HeifOutcome;
  heif_context_get_number_of_top_level_images(context: unknown): number;
  heif_js_context_get_primary_image_handle(context: unknown): HeifOutcome;
  heif_image_handle_get_width(handle: unknown): number;
  heif_image_handle_get_height(handle: unknown): number;
  heif_image_handle_has_alpha_channel(handle: unknown): number;
  heif_image_handle_release(handle: unknown): void;
  heif_js_decode_image2(handle: unknown, colorspace: unknown, chroma: unknown): HeifOutcome & HeifImage;
  heif_image_release(image: unknown): void;
  heif_error_code: { heif_error_Ok: unknown };
  heif_colorspace: { heif_colorspace_RGB: unknown };
  heif_chroma: { heif_chroma_interleaved_RGB: unknown; heif_chroma_interleaved_RGBA: unknown };
}

/** Result of a libheif call. An error has a `code`; a successful result of another type has none. */
interface HeifOutcome {
  code?: unknown;
  message?: string;
}

interface HeifImage {
  image: unknown;
  channels: { data: Uint8Array; stride: number; width: number; height: number }[];
}

/** WebAssembly memory never shrinks, so an instance that decoded more than this many pixels is discarded. */
const MAX_REUSED_PIXELS = 24e6;
/** Maximum pixels per image: planes and RGB copy must fit into the 4 GiB that WebAssembly can address. */
const MAX_PIXELS = 256e6;

const load = createRequire(import.meta.url);
let loaded: LibHeif | undefined;

function acquire(): LibHeif {
  if (loaded !== undefined) return loaded;
  const silent = { print: () => undefined, printErr: () => undefined };
  const create = load('libheif-js/libheif-wasm/libheif-bundle.js') as (options: typeof silent) => LibHeif;
  loaded = create(silent);
  return loaded;
}

function refuse(outcome: HeifOutcome, heif: LibHeif): void {
  if (outcome.code === undefined || outcome.code === heif.heif_error_code.heif_error_Ok) return;
  const cause = new Error(outcome.message ?? 'libheif gives no message');
  if (/unsupported/i.test(cause.message)) {
    throw new ImageProblem('unsupported', message('image_variant_unsupported', { format: HEIC }), { cause });
  }
  if (/memory|security limit/i.test(cause.message)) {
    throw new ImageProblem('too_large', message('image_format_memory_refused', { format: HEIC }), { cause });
  }
  const isShort = /end of file|outside of file/i.test(cause.message);
  const reason = isShort
    ? message('image_data_cut', { format: HEIC })
    : message('image_data_damaged', { format: HEIC });
  throw new ImageProblem('corrupt', reason, { cause });
}

/** Copies the rows of a decoded image without the padding that the decoder leaves at their ends. */
function packed(image: HeifImage, width: number, height: number, channels: 3 | 4): Uint8Array {
  const [plane] = image.channels;
  if (plane === undefined || plane.width !== width || plane.height !== height) {
    throw new ImageProblem('corrupt', message('image_size_contradicts', { format: HEIC }));
  }
  const row = width * channels;
  if (plane.stride === row) return plane.data;
  const data = new Uint8Array(row * height);
  for (let y = 0; y < height; y += 1) data.set(plane.data.subarray(y * plane.stride, y * plane.stride + row), y * row);
  return data;
}

function decodePrimary(heif: LibHeif, bytes: Buffer, pixelLimit: number): DecodedPixels {
  const context = heif.heif_context_alloc();
  let handle: HeifOutcome | undefined;
  try {
    refuse(heif.heif_context_read_from_memory(context, bytes), heif);
    handle = heif.heif_js_context_get_primary_image_handle(context);
    refuse(handle, heif);
    const width = heif.heif_image_handle_get_width(handle);
    const height = heif.heif_image_handle_get_height(handle);
    assertWithinLimit(width, height, Math.min(pixelLimit, MAX_PIXELS));
    const channels = heif.heif_image_handle_has_alpha_channel(handle) ? 4 : 3;
    const { heif_chroma_interleaved_RGB, heif_chroma_interleaved_RGBA } = heif.heif_chroma;
    const chroma = channels === 4 ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
    const image = heif.heif_js_decode_image2(handle, heif.heif_colorspace.heif_colorspace_RGB, chroma);
    refuse(image, heif);
    try {
      const data = packed(image, width, height, channels);
      const pages = Math.max(1, heif.heif_context_get_number_of_top_level_images(context));
      return { data, width, height, channels, pages };
    } finally {
      heif.heif_image_release(image.image);
    }
  } finally {
    if (handle !== undefined && handle.code === undefined) heif.heif_image_handle_release(handle);
    heif.heif_context_free(context);
  }
}

/** Reads the embedded colour profile, which libvips can read even from images that it cannot decode. */
async function readProfile(bytes: Buffer): Promise<Buffer | undefined> {
  const metadata = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  return metadata?.icc;
}

/**
 * Decodes the primary image of a HEIF file (HEVC inside) with libheif's WebAssembly build. Rotation, mirroring and cropping of the
 * container are applied; images of more than 8 bits per channel are reduced to 8.
 *
 * @throws {@link ImageProblem} `corrupt`, `unsupported` or `too_large`.
 */
export async function decodeHeif(bytes: Buffer, options: { pixelLimit: number }): Promise<DecodedPixels> {
  const icc = await readProfile(bytes);
  const heif = acquire();
  try {
    const pixels = decodePrimary(heif, bytes, options.pixelLimit);
    if (pixels.width * pixels.height > MAX_REUSED_PIXELS) loaded = undefined;
    return icc === undefined ? pixels : { ...pixels, icc };
  } catch (error) {
    if (error instanceof ImageProblem) throw error;
    // After a trap the state of the instance is undefined, so it is discarded.
    loaded = undefined;
    throw new ImageProblem('corrupt', message('image_data_damaged', { format: HEIC }), { cause: error });
  }
}
