import { sharp } from './sharp-runtime.ts';
import { openTiff, type TiffDirectory } from './tiff-tags.ts';

/** EXIF metadata of an image; null for missing and implausible values. */
export interface Exif {
  /** Make and model, such as `Canon EOS 40D`. */
  camera: string | null;
  lens: string | null;
  /** ISO 8601 time of capture: local time of the camera, with the offset from UTC only if the file states it. */
  taken_at: string | null;
  /** Decimal degrees, north and east positive (WGS 84). */
  latitude: number | null;
  longitude: number | null;
}

const MAX_TEXT_CHARS = 200;

/** Tags of EXIF 2.32, 4.6.4 to 4.6.6. */
const MAKE = 0x010f;
const MODEL = 0x0110;
const EXIF_DIRECTORY = 0x8769;
const GPS_DIRECTORY = 0x8825;
const DATE_TIME_ORIGINAL = 0x9003;
const DATE_TIME_DIGITIZED = 0x9004;
const OFFSET_TIME_ORIGINAL = 0x9011;
const OFFSET_TIME_DIGITIZED = 0x9012;
const LENS_MODEL = 0xa434;
const LATITUDE = { reference: 1, value: 2, positive: 'N', negative: 'S', limit: 90 };
const LONGITUDE = { reference: 3, value: 4, positive: 'E', negative: 'W', limit: 180 };

/** Cleans text of EXIF fields, which cameras pad with spaces and zero bytes. */
function text(value: string | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters
  const clean = value.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim();
  return clean === '' ? null : clean.slice(0, MAX_TEXT_CHARS);
}

function cameraName(make: string | null, model: string | null): string | null {
  if (make === null || model === null) return model ?? make;
  const [brand = ''] = make.split(' ');
  return model.toLowerCase().startsWith(brand.toLowerCase()) ? model : `${make} ${model}`;
}

/** Converts `2019:07:01 12:30:05` (EXIF 2.32, 4.6.5) with an offset such as `+02:00` (4.6.6) to ISO 8601. */
function isoTime(date: string | null, offset: string | null): string | null {
  const found = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)/.exec(date ?? '');
  if (found === null) return null;
  const [, year, month, day, hour, minute, second] = found;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const time = new Date(`${iso}Z`);
  // A date that does not exist, such as 0000:00:00 or 30 February, is invalid or would be moved to another day.
  if (Number.isNaN(time.getTime()) || !time.toISOString().startsWith(iso) || year === '0000') return null;
  return offset !== null && /^[+-](0\d|1[0-4]):[0-5]\d$/.test(offset) ? `${iso}${offset}` : iso;
}

/** Converts degrees, minutes, seconds and hemisphere to decimal degrees. */
function degrees(gps: TiffDirectory | null | undefined, axis: typeof LATITUDE): number | null {
  const parts = gps?.rationals(axis.value);
  const side = text(gps?.text(axis.reference))?.toUpperCase();
  if (parts?.length !== 3 || (side !== axis.positive && side !== axis.negative)) return null;
  const [whole = 0, minutes = 0, seconds = 0] = parts;
  const value = whole + minutes / 60 + seconds / 3600;
  if (!Number.isFinite(value) || value > axis.limit) return null;
  return (Math.round(value * 1e7) / 1e7) * (side === axis.negative ? -1 : 1);
}

/** Returns the TIFF structure that contains the tags: the TIFF file itself, or the EXIF block of another container. */
async function tiffOf(bytes: Buffer, known: Buffer | null | undefined): Promise<Buffer | undefined> {
  if (openTiff(bytes) !== null) return bytes;
  const exif = known === undefined ? await exifBlockOf(bytes) : known;
  return exif?.toString('latin1', 0, 4) === 'Exif' ? exif.subarray(6) : (exif ?? undefined);
}

async function exifBlockOf(bytes: Buffer): Promise<Buffer | undefined> {
  return (await sharp(bytes, { limitInputPixels: false, failOn: 'none' }).metadata()).exif;
}

/**
 * Reads camera, lens, time and location of an image from the content of its file (JPEG, TIFF, PNG, HEIC, AVIF, WebP). Returns null when the
 * file has none of them. Damaged EXIF counts as missing and never prevents the import of an image.
 * @param known The EXIF block that a decoder has found; null if the file has none, undefined if no decoder has looked for one.
 */
export async function readExif(bytes: Buffer, known?: Buffer | null): Promise<Exif | null> {
  // Files that libvips cannot open have no EXIF that is supported here.
  const tiff = await tiffOf(bytes, known).catch(() => undefined);
  const main = tiff === undefined ? null : openTiff(tiff);
  if (main === null) return null;
  const photo = main.child(EXIF_DIRECTORY);
  const gps = main.child(GPS_DIRECTORY);
  const latitude = degrees(gps, LATITUDE);
  const longitude = degrees(gps, LONGITUDE);
  const hasPlace = latitude !== null && longitude !== null;
  const time = (date: number, offset: number) => isoTime(text(photo?.text(date)), text(photo?.text(offset)));
  const exif: Exif = {
    camera: cameraName(text(main.text(MAKE)), text(main.text(MODEL))),
    lens: text(photo?.text(LENS_MODEL)),
    taken_at: time(DATE_TIME_ORIGINAL, OFFSET_TIME_ORIGINAL) ?? time(DATE_TIME_DIGITIZED, OFFSET_TIME_DIGITIZED),
    latitude: hasPlace ? latitude : null,
    longitude: hasPlace ? longitude : null,
  };
  return Object.values(exif).every((value) => value === null) ? null : exif;
}
