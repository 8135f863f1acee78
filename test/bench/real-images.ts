import { copyFile, mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import sharp from 'sharp';
import { imagesIn, layOutFrames } from './duplicate-sets.ts';

/** Side of the tiles that photos are cut into. */
const TILE_PX = 160;
/** Share of the images that are whole photos, and that are frames of videos, at most. */
const SHARE = 1 / 3;
/** Times of the files: one after the other from the first, so that a range of times selects a part of them. */
export const [FIRST_MS, STEP_MS] = [Date.UTC(2026, 0, 1), 60_000];

export type RealKind = 'photo' | 'frame' | 'tile';

export interface RealImage {
  name: string;
  kind: RealKind;
}

/**
 * Writes real images into a folder: photos, frames of videos, and tiles of photos that do not overlap, up to the requested number. Each is labelled
 * with its kind in `image_annotations.csv`, and has a time of its own. @returns The images in the order of their times.
 */
export async function layOutRealImages(media: string, folder: string, n: number): Promise<RealImage[]> {
  await mkdir(folder, { recursive: true });
  const made: RealImage[] = [];
  const next = (kind: RealKind, extension: string) => {
    const name = `${kind}-${String(made.length).padStart(5, '0')}${extension}`;
    made.push({ name, kind });
    return join(folder, name);
  };
  const photos = [
    ...(await imagesIn(join(media, 'photos', 'coco', 'images'))),
    ...(await imagesIn(join(media, 'photos', 'clothing'))),
  ];
  for (const photo of evenly(photos, n * SHARE)) await copyFile(photo, next('photo', extname(photo)));
  const scratch = `${folder}-frames`;
  const frames = await layOutFrames(media, scratch);
  for (const { file } of evenly(frames, n * SHARE)) await rename(join(scratch, file), next('frame', '.jpg'));
  await rm(scratch, { recursive: true, force: true });
  for (const photo of photos) {
    const { data, info } = await sharp(photo).autoOrient().toColourspace('srgb').removeAlpha().raw().toBuffer({
      resolveWithObject: true,
    });
    for (let top = 0; top + TILE_PX <= info.height; top += TILE_PX) {
      for (let left = 0; left + TILE_PX <= info.width && made.length < n; left += TILE_PX) {
        await sharp(data, { raw: info })
          .extract({ left, top, width: TILE_PX, height: TILE_PX })
          .jpeg({ quality: 90 })
          .toFile(next('tile', '.jpg'));
      }
    }
    if (made.length >= n) break;
  }
  for (const [nth, { name }] of made.entries()) {
    const time = new Date(FIRST_MS + nth * STEP_MS);
    await utimes(join(folder, name), time, time);
  }
  const lines = made.map(({ name, kind }) => `${name},${kind}`);
  await writeFile(join(folder, 'image_annotations.csv'), `filename,label\n${lines.join('\n')}\n`);
  return made;
}

/** Returns up to `most` of some values, spread over all. */
function evenly<T>(values: readonly T[], most: number): T[] {
  const n = Math.min(values.length, Math.floor(most));
  return Array.from({ length: n }, (_, nth) => values[Math.floor((nth * values.length) / n)] as T);
}
