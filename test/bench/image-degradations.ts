import sharp, { type Sharp } from 'sharp';
import type { IssueName } from '../../src-main/contract/schemas/issues.ts';
import { seeded } from '../support/images.ts';

/** Pixels of a photo at the size at which issues are measured. */
export interface Photo {
  data: Buffer;
  width: number;
  height: number;
}

/** A damaged photo, or a changed one that has no issue. */
interface Degradation {
  name: string;
  /** Missing for a change that is not an issue. */
  issue?: IssueName;
  make: (photo: Photo, seed: number) => Promise<Photo>;
}

const raw = ({ data, width, height }: Photo) => sharp(data, { raw: { width, height, channels: 3 } });

/** Stores a photo as JPEG and reads it again. */
async function stored(photo: Photo, quality = 85): Promise<Photo> {
  const { data, info } = await sharp(await raw(photo).jpeg({ quality }).toBuffer())
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

async function changed(photo: Photo, change: (image: Sharp) => Sharp): Promise<Photo> {
  const { data, info } = await change(raw(photo)).raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Moves a photo along a line during the exposure, in a random direction. */
function moved(photo: Photo, lengthPx: number, seed: number): Photo {
  const { width, height } = photo;
  const angle = seeded(seed)() * Math.PI;
  const steps = Array.from({ length: lengthPx * 2 }, (_, step) => ((step + 0.5) / (lengthPx * 2) - 0.5) * lengthPx);
  const data = Buffer.alloc(photo.data.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const sums = [0, 0, 0];
      for (const step of steps) {
        const inX = Math.min(width - 1.001, Math.max(0, x + Math.cos(angle) * step));
        const inY = Math.min(height - 1.001, Math.max(0, y + Math.sin(angle) * step));
        const [left, top] = [Math.floor(inX), Math.floor(inY)];
        const [toRight, toBottom] = [inX - left, inY - top];
        const from = (top * width + left) * 3;
        for (let channel = 0; channel < 3; channel += 1) {
          const at = from + channel;
          const upper = (photo.data[at] as number) * (1 - toRight) + (photo.data[at + 3] as number) * toRight;
          const below = at + width * 3;
          const lower = (photo.data[below] as number) * (1 - toRight) + (photo.data[below + 3] as number) * toRight;
          sums[channel] = (sums[channel] as number) + upper * (1 - toBottom) + lower * toBottom;
        }
      }
      for (let channel = 0; channel < 3; channel += 1)
        data[(y * width + x) * 3 + channel] = Math.round((sums[channel] as number) / steps.length);
    }
  }
  return { data, width, height };
}

/** Exposes a photo longer or shorter, in stops: light is linear (sRGB, IEC 61966-2-1), and cut off at white. */
function exposed(photo: Photo, stops: number): Photo {
  const levels = Array.from({ length: 256 }, (_, level) => {
    const coded = level / 255;
    const light = (coded <= 0.04045 ? coded / 12.92 : ((coded + 0.055) / 1.055) ** 2.4) * 2 ** stops;
    return Math.round(255 * Math.min(1, light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055));
  });
  return { ...photo, data: Buffer.from(photo.data.map((level) => levels[level] as number)) };
}

export const DEGRADATIONS: readonly Degradation[] = [
  { name: 'as it is', make: async (photo) => photo },
  { name: 'JPEG 30', make: (photo) => stored(photo, 30) },
  { name: 'half size', make: (photo) => changed(photo, (image) => image.resize(Math.round(photo.width / 2))) },
  { name: 'half contrast', make: (photo) => changed(photo, (image) => image.linear(0.5, 60)) },
  { name: '1 stop darker', make: async (photo) => exposed(photo, -1) },
  ...[2, 3, 5].map(
    (sigma): Degradation => ({
      name: `blur ${sigma} px`,
      issue: 'blur',
      make: async (photo) => stored(await changed(photo, (image) => image.blur(sigma))),
    }),
  ),
  ...[7, 11, 17].map(
    (length): Degradation => ({
      name: `motion ${length} px`,
      issue: 'blur',
      make: (photo, seed) => stored(moved(photo, length, seed)),
    }),
  ),
  ...[3, 4].map(
    (stops): Degradation => ({
      name: `${stops} stops darker`,
      issue: 'dark',
      make: (photo) => stored(exposed(photo, -stops)),
    }),
  ),
  ...[2, 3, 4].map(
    (stops): Degradation => ({
      name: `${stops} stops brighter`,
      issue: 'bright',
      make: (photo) => stored(exposed(photo, stops)),
    }),
  ),
];
