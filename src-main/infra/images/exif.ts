import { sharp } from './sharp-runtime.ts';
import { openTiff, type TiffDirectory } from './tiff-tags.ts';

/** What a camera wrote about an image; null where it says nothing or nothing sensible. */
export interface Exif {
  /** Maker and model, such as `Canon EOS 40D`. */
  camera: string | null;
  lens: string | null;
  /** ISO 8601 time of capture: the camera's wall clock, with its offset from UTC only where the file tells one. */
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

/** Text as cameras write it: padded with spaces and zero bytes. */
function text(value: string | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const clean = value.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim();
  return clean === '' ? null : clean.slice(0, MAX_TEXT_CHARS);
}

function cameraName(make: string | null, model: string | null): string | null {
  if (make === null || model === null) return model ?? make;
  const [brand = ''] = make.split(' ');
  return model.toLowerCase().startsWith(brand.toLowerCase()) ? model : `${make} ${model}`;
}

/** `2019:07:01 12:30:05` (EXIF 2.32, 4.6.5) with an offset such as `+02:00` (4.6.6) as ISO 8601. */
function isoTime(date: string | null, offset: string | null): string | null {
  const found = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)/.exec(date ?? '');
  if (found === null) return null;
  const [, year, month, day, hour, minute, second] = found;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const time = new Date(`${iso}Z`);
  // A day that does not exist, such as 0000:00:00 or 30 February, is either no time at all or moved to another day.
  if (Number.isNaN(time.getTime()) || !time.toISOString().startsWith(iso) || year === '0000') return null;
  return offset !== null && /^[+-](0\d|1[0-4]):[0-5]\d$/.test(offset) ? `${iso}${offset}` : iso;
}

/** Degrees, minutes and seconds with their side as decimal degrees. */
function degrees(gps: TiffDirectory | null | undefined, axis: typeof LATITUDE): number | null {
  const parts = gps?.rationals(axis.value);
  const side = text(gps?.text(axis.reference))?.toUpperCase();
  if (parts?.length !== 3 || (side !== axis.positive && side !== axis.negative)) return null;
  const [whole = 0, minutes = 0, seconds = 0] = parts;
  const value = whole + minutes / 60 + seconds / 3600;
  if (!Number.isFinite(value) || value > axis.limit) return null;
  return (Math.round(value * 1e7) / 1e7) * (side === axis.negative ? -1 : 1);
}

/** The TIFF structure that holds the tags: a TIFF file itself, else the EXIF block that the container carries. */
async function tiffOf(bytes: Buffer): Promise<Buffer | undefined> {
  if (openTiff(bytes) !== null) return bytes;
  const { exif } = await sharp(bytes, { limitInputPixels: false, failOn: 'none' }).metadata();
  return exif?.toString('latin1', 0, 4) === 'Exif' ? exif.subarray(6) : exif;
}

/**
 * Camera, lens, time and place of an image from its file's bytes (JPEG, TIFF, PNG, HEIC, AVIF, WebP); null when it holds none of them.
 * Damaged EXIF counts as none: it never keeps an image out.
 */
export async function readExif(bytes: Buffer): Promise<Exif | null> {
  // What libvips cannot open carries no EXIF that is read here.
  const tiff = await tiffOf(bytes).catch(() => undefined);
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
