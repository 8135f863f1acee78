import { LRUCache } from 'lru-cache';
import pMap from 'p-map';
import type { CandidatePair, ComparisonBatch, StoredThumbnail } from '../../core/ports/duplicates.ts';
import { COMPARED_PX, ComparedImage, compareImages } from './compare-images.ts';
import { GLANCED_PX, glanceAt, mayShowTheSame } from './glance.ts';
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

const glanceOf = prepared(MAX_GLANCES, async (cv, side) => {
  const luma = await lumaOf(side, GLANCED_PX);
  return luma && glanceAt(cv, luma);
});
const imageOf = prepared(MAX_IMAGES, async (cv, { thumbnail, isMirrored }) => {
  const picture = thumbnail && (await readPictured(thumbnail, COMPARED_PX, isMirrored));
  return picture && new ComparedImage(cv, picture);
});

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

/** Caches what is prepared from images, by image; undefined for a damaged one. */
function prepared<Prepared>(max: number, prepare: (cv: OpenCv, side: Side) => Promise<Prepared | undefined>) {
  const cache = new LRUCache<string, Promise<Prepared | undefined>, { cv: OpenCv; side: Side }>({
    max,
    memoMethod: (_key, _stale, { context: { cv, side } }) => prepare(cv, side),
  });
  return (cv: OpenCv, side: Side) => cache.memo(keyOf(side), { context: { cv, side } });
}

async function lumaOf({ thumbnail, isMirrored }: Side, longestSide: number): Promise<Luma | undefined> {
  const luma = thumbnail && (await readLuma(thumbnail, longestSide));
  return luma && isMirrored ? mirrored(luma) : luma;
}

function keyOf({ thumbnail, isMirrored }: Side): string {
  return `${thumbnail?.path}:${thumbnail?.offset}:${isMirrored}`;
}
