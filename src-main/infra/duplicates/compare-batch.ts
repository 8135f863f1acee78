import pMap from 'p-map';
import type { CandidatePair, ComparisonBatch, StoredThumbnail } from '../../core/ports/duplicates.ts';
import { RecentlyUsed } from '../recently-used.ts';
import { COMPARED_PX, ComparedImage, compareImages } from './compare-images.ts';
import { GLANCED_PX, glanceAt, mayShowTheSame } from './glance.ts';
import type { ImageFeatures } from './image-features.ts';
import { type OpenCv, openCv } from './open-cv.ts';
import { type Luma, mirrored, readLuma, readPictured } from './read-thumbnail.ts';

/**
 * Maximum numbers of images cached for later batches, counting mirrored ones separately: 6 kB for a prefilter image, 160 kB for a compared
 * one. Batches are ordered so that images recur soon.
 */
const [MAX_GLANCES, MAX_IMAGES] = [10_000, 500];
/** Number of pairs that are processed together: other threads decode thumbnails while one pair is compared. */
const PAIRS_AT_ONCE = 4;

/** One image of a pair. */
interface Side {
  thumbnail: StoredThumbnail | undefined;
  isMirrored: boolean;
}

const glances = new RecentlyUsed<Promise<ImageFeatures | undefined>>(MAX_GLANCES);
const images = new RecentlyUsed<Promise<ComparedImage | undefined>>(MAX_IMAGES);

/** Compares the pairs of a batch. Prepared images are cached for the next batch. */
export async function compareBatch(
  { pairs, thumbnails }: ComparisonBatch,
  options: { onProgress: (fraction: number) => void; signal: AbortSignal },
): Promise<number[]> {
  const { cv } = await openCv();
  const thumbnailOf = new Map(thumbnails.map((thumbnail) => [thumbnail.row, thumbnail]));
  let done = 0;
  const compare = async (pair: CandidatePair): Promise<number> => {
    options.signal.throwIfAborted();
    const a = { thumbnail: thumbnailOf.get(pair.a), isMirrored: false };
    const b = { thumbnail: thumbnailOf.get(pair.b), isMirrored: pair.is_mirrored };
    const share = await comparePair(cv, a, b, pair.is_aligned);
    done += 1;
    options.onProgress(done / pairs.length);
    return share;
  };
  return pMap(pairs, compare, { concurrency: PAIRS_AT_ONCE });
}

/** Compares two images; 0 when one of them is damaged. */
async function comparePair(cv: OpenCv, a: Side, b: Side, isAligned: boolean): Promise<number> {
  if (!isAligned) {
    const [inA, inB] = await Promise.all([glanceOf(cv, a), glanceOf(cv, b)]);
    if (!inA || !inB || !mayShowTheSame(inA, inB)) return 0;
  }
  const [one, other] = await Promise.all([imageOf(cv, a), imageOf(cv, b)]);
  return one && other ? compareImages(cv, one, other, isAligned) : 0;
}

function glanceOf(cv: OpenCv, side: Side): Promise<ImageFeatures | undefined> {
  return glances.get(keyOf(side), async () => {
    const luma = await lumaOf(side, GLANCED_PX);
    return luma && glanceAt(cv, luma);
  });
}

function imageOf(cv: OpenCv, side: Side): Promise<ComparedImage | undefined> {
  return images.get(keyOf(side), async () => {
    const picture = side.thumbnail && (await readPictured(side.thumbnail, COMPARED_PX, side.isMirrored));
    return picture && new ComparedImage(cv, picture);
  });
}

async function lumaOf({ thumbnail, isMirrored }: Side, longestSide: number): Promise<Luma | undefined> {
  const luma = thumbnail && (await readLuma(thumbnail, longestSide));
  return luma && isMirrored ? mirrored(luma) : luma;
}

function keyOf({ thumbnail, isMirrored }: Side): string {
  return `${thumbnail?.path}:${thumbnail?.offset}:${isMirrored}`;
}
