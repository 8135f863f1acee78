/** Number of bytes from the start of a file that suffice to detect its format. */
export const SNIFF_BYTES = 4096;

export interface SniffedFormat {
  /** Short name that is stored and shown, such as `jpeg`. */
  id: string;
  /** Name that is shown to users. */
  label: string;
  is_image: boolean;
}

const image = (id: string, label: string): SniffedFormat => ({ id, label, is_image: true });
const other = (id: string, label: string): SniffedFormat => ({ id, label, is_image: false });

/** Magic numbers: hex bytes with `..` for any byte, from the start of the file; the first match wins. */
const MAGIC: readonly (readonly [string, SniffedFormat])[] = [
  ['ffd8ff', image('jpeg', 'JPEG')],
  ['89504e470d0a1a0a', image('png', 'PNG')],
  ['474946383761', image('gif', 'GIF')],
  ['474946383961', image('gif', 'GIF')],
  ['52494646........57454250', image('webp', 'WebP')],
  ['52494646........41564920', other('avi', 'AVI video')],
  ['49492a00........4352', image('cr2', 'Canon RAW')],
  ['49492a00', image('tiff', 'TIFF')],
  ['4d4d002a', image('tiff', 'TIFF')],
  ['49492b00', image('tiff', 'TIFF')],
  ['4d4d002b', image('tiff', 'TIFF')],
  ['0000000c6a5020200d0a870a', image('jp2', 'JPEG 2000')],
  ['ff4fff51', image('jp2', 'JPEG 2000')],
  ['0000000c4a584c200d0a870a', image('jxl', 'JPEG XL')],
  ['ff0a', image('jxl', 'JPEG XL')],
  ['424d', image('bmp', 'BMP')],
  ['00000100', image('ico', 'Windows icon')],
  ['38425053', image('psd', 'Photoshop document')],
  ['425047fb', image('bpg', 'BPG')],
  ['716f6966', image('qoi', 'QOI')],
  ['762f3101', image('exr', 'OpenEXR')],
  ['233f52414449414e4345', image('hdr', 'Radiance HDR')],
  ['8a4d4e470d0a1a0a', image('mng', 'MNG animation')],
  ['d7cdc69a', image('wmf', 'Windows metafile')],
  ['010009000003', image('wmf', 'Windows metafile')],
  ['464c5601', other('flv', 'Flash video')],
  ['3026b2758e66cf11', other('asf', 'Windows Media')],
  ['1a45dfa3', other('matroska', 'WebM or Matroska video')],
  ['25504446', other('pdf', 'PDF document')],
  ['504b0304', other('zip', 'ZIP archive')],
  ['504b0506', other('zip', 'ZIP archive')],
  ['526172211a07', other('rar', 'RAR archive')],
  ['52457e5e', other('rar', 'RAR archive')],
  ['1f8b', other('gzip', 'gzip archive')],
  ['425a68', other('bzip2', 'bzip2 archive')],
  ['fd377a585a00', other('xz', 'xz archive')],
  ['377abcaf271c', other('7z', '7-Zip archive')],
];

const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs'];
const AVIF_BRANDS = ['avif', 'avis'];
const HEIF_BRANDS = ['mif1', 'mif2', 'msf1', 'miaf'];

/** ISO base media files (ISO/IEC 14496-12): the `ftyp` box lists a major brand and compatible ones. */
function sniffIsoMedia(bytes: Uint8Array): SniffedFormat | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SNIFF_BYTES));
  if (text.length < 12 || text.toString('latin1', 4, 8) !== 'ftyp') return undefined;
  const end = Math.min(text.readUInt32BE(0), text.length);
  const brands = [text.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(text.toString('latin1', at, at + 4));
  const has = (known: readonly string[]) => brands.some((brand) => known.includes(brand));
  if (has(AVIF_BRANDS)) return image('avif', 'AVIF');
  if (has(HEIC_BRANDS)) return image('heic', 'HEIC');
  if (has(HEIF_BRANDS)) return image('heif', 'HEIF');
  if (brands[0] === 'crx ') return image('cr3', 'Canon RAW');
  return brands[0] === 'qt  ' ? other('mov', 'QuickTime video') : other('mp4', 'MP4 video');
}

function matches(bytes: Uint8Array, pattern: string): boolean {
  const length = pattern.length / 2;
  if (bytes.length < length) return false;
  for (let index = 0; index < length; index += 1) {
    const expected = pattern.slice(index * 2, index * 2 + 2);
    if (expected !== '..' && bytes[index] !== Number.parseInt(expected, 16)) return false;
  }
  return true;
}

/** Detects formats by text near the start instead of a magic number. */
function sniffText(bytes: Uint8Array): SniffedFormat | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString('latin1');
  // A PNG whose signature was damaged in transfer (line endings, lost eighth bit) still starts with its header chunk.
  if (head.slice(0, 24).includes('IHDR')) return image('png', 'PNG');
  if (/^P[1-6][\s#]/.test(head)) return image('pnm', 'PNM (portable anymap)');
  if (/^(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/i.test(head)) {
    return image('svg', 'SVG');
  }
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1', 257, 262) === 'ustar') {
    return other('tar', 'tar archive');
  }
  return undefined;
}

/**
 * Detects a file's format from its first bytes, independent of its extension; undefined for unknown formats.
 * @param bytes At least the first {@link SNIFF_BYTES}, or the whole file if it is shorter.
 */
export function sniffFormat(bytes: Uint8Array): SniffedFormat | undefined {
  return sniffIsoMedia(bytes) ?? MAGIC.find(([pattern]) => matches(bytes, pattern))?.[1] ?? sniffText(bytes);
}
