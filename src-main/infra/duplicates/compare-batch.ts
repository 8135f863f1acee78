import { LRUCache } from 'lru-cache';
import pMap from 'p-map';
import type { CandidatePair, ComparisonBatch, StoredThumbnail } from '../../core/ports/duplicates.ts';
import type { WorkingImage } from '../images/decode-image.ts';
import { compareImages } from './compare-images.ts';
import { compareSmall } from './compare-small.ts';
import { COMPARED_PX, ComparedImage, isSmall } from './compared-image.ts';
import { FeatureFile } from './feature-file.ts';
import { mirrored } from './image-planes.ts';
import { type OpenCv, openCv } from './open-cv.ts';
import { findPrefilterFeatures, mayShowTheSame, PREFILTER_PX } from './prefilter.ts';
import { readPixels, scaledTo } from './read-thumbnail.ts';

/**
 * Maximum numbers of images cached for later batches, counting mirrored ones separately: 6 kB for a prefilter image, 160 kB for a compared
 * one. Batches are ordered so that images recur soon.
 */
const [MAX_PREFILTERED, MAX_IMAGES] = [10_000, 500];
/** Number of pairs that are processed together: other threads decode thumbnails while one pair is compared. */
const PAIRS_AT_ONCE = 4;

interface Tools {
  cv: OpenCv;
  stored: FeatureFile | undefined;
}

/** One image of a pair. */
interface Side {
  thumbnail: StoredThumbnail | undefined;
  isMirrored: boolean;
}

const prefilterOf = prepared(MAX_PREFILTERED, async ({ cv, stored }, side) => {
  const { thumbnail, isMirrored } = side;
  const known = thumbnail && !isMirrored ? stored?.read(thumbnail) : undefined;
  if (known) return known;
  const pixels = await pixelsOf(side, PREFILTER_PX);
  const found = pixels && findPrefilterFeatures(cv, pixels);
  if (thumbnail && found && !isMirrored) stored?.write(thumbnail, found);
  return found;
});
const imageOf = prepared(MAX_IMAGES, async ({ cv }, side) => {
  const pixels = await pixelsOf(side, COMPARED_PX);
  return pixels && new ComparedImage(cv, pixels);
});

/** Compares the pairs of a batch. Prepared images are cached for the next batch. */
export async function compareBatch(
  { pairs, thumbnails, features_file }: ComparisonBatch,
  options: { onProgress: (fraction: number) => void; signal: AbortSignal; turn: () => Promise<void> },
): Promise<number[]> {
  const { cv } = await openCv();
  const thumbnailOf = new Map(thumbnails.map((thumbnail) => [thumbnail.row, thumbnail]));
  const stored = features_file === undefined ? undefined : new FeatureFile(features_file);
  let done = 0;
  const compare = async (pair: CandidatePair): Promise<number> => {
    await options.turn();
    options.signal.throwIfAborted();
    const a = { thumbnail: thumbnailOf.get(pair.a), isMirrored: false };
    const b = { thumbnail: thumbnailOf.get(pair.b), isMirrored: pair.is_mirrored };
    const share = await comparePair({ cv, stored }, a, b, pair.is_aligned);
    done += 1;
    options.onProgress(done / pairs.length);
    return share;
  };
  try {
    return await pMap(pairs, compare, { concurrency: PAIRS_AT_ONCE });
  } finally {
    stored?.close();
  }
}

/** Compares two images; 0 when one of them is damaged. */
async function comparePair({ cv, stored }: Tools, a: Side, b: Side, isAligned: boolean): Promise<number> {
  if (!isAligned) {
    const [inA, inB] = await Promise.all([prefilterOf({ cv, stored }, a), prefilterOf({ cv, stored }, b)]);
    if (!inA || !inB || !mayShowTheSame(inA, inB)) return 0;
  }
  const [one, other] = await Promise.all([imageOf({ cv, stored }, a), imageOf({ cv, stored }, b)]);
  if (!one || !other) return 0;
  return one.isSmall || other.isSmall ? compareSmall(one.small, other.small) : compareImages(cv, one, other, isAligned);
}

/** Caches what is prepared from images, by image; undefined for a damaged one. */
function prepared<Prepared>(max: number, prepare: (tools: Tools, side: Side) => Promise<Prepared | undefined>) {
  const cache = new LRUCache<string, Promise<Prepared | undefined>, { tools: Tools; side: Side }>({
    max,
    memoMethod: (key, _stale, { context: { tools, side } }) => {
      const preparing = prepare(tools, side);
      // A failure, such as a full disk, may be over when the image is needed again.
      preparing.catch(() => cache.delete(key));
      return preparing;
    },
  });
  return (tools: Tools, side: Side) => cache.memo(keyOf(side), { context: { tools, side } });
}

/** Decodes an image at the given longest side; a small image at its own size. */
async function pixelsOf({ thumbnail, isMirrored }: Side, longestSide: number): Promise<WorkingImage | undefined> {
  const pixels = thumbnail && (await readPixels(thumbnail, longestSide));
  if (!pixels) return undefined;
  const scaled = isSmall(pixels) ? pixels : await scaledTo(pixels, longestSide);
  return isMirrored ? mirrored(scaled) : scaled;
}

function keyOf({ thumbnail, isMirrored }: Side): string {
  return `${thumbnail?.path}:${thumbnail?.offset}:${isMirrored}`;
}
