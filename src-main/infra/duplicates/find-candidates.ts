import type { CandidateJob, StoredThumbnail } from '../../core/ports/duplicates.ts';
import type { IndexVersion, RowVectors, SpaceAddress, VectorCollection } from '../../core/ports/vector-engine.ts';
import { packFile } from '../dataset-store/disk/thumbnail-packs.ts';
import type { WorkingImage } from '../images/decode-image.ts';
import { ORIENTATIONS, orient } from '../inference/descriptor-orientations.ts';
import { mostQueries } from '../vectors/neighbors/batch-search.ts';
import { type EngineLocation, openVectorEngine } from '../vectors/open-engine.ts';
import { RowSet } from '../vectors/row-set.ts';
import { innerProduct, rowsWhere } from '../vectors/rows.ts';
import { writeCandidates } from './candidate-file.ts';
import { CandidateSet } from './candidate-set.ts';
import { isSmall } from './compared-image.ts';
import { comparisonOrder } from './comparison-order.ts';
import { FeatureFile } from './feature-file.ts';
import { openCv } from './open-cv.ts';
import { findPrefilterFeatures, PREFILTER_PX } from './prefilter.ts';
import { readPixels, scaledTo } from './read-thumbnail.ts';
import { packVector, readTrimmed, type TrimmedVector, TrimmedWriter, unpackVector } from './trimmed-file.ts';
import { describeTrimmed, type SearchMany, searchTrimmed } from './trimmed-images.ts';

/**
 * Minimum cosines of appearance embeddings of two images that may match: of the nearest rows, of other rows, and of turned or mirrored
 * images, which need much higher values.
 */
const [LEAST_ALIKE, LEAST_OF_OTHERS, LEAST_TURNED] = [0.4, 0.55, 0.6];
/** Minimum number of queries that are collected for a search. */
const FEWEST_QUERIES = 1024;
/** Number of nearest rows. */
const NEAREST = 4;
/** A turned or mirrored image matches only if it is nearer than the upright one, or so near that both may be: a symmetric object. */
const [NEARER, SYMMETRIC] = [0.2, 0.9];
/** From this cosine on, one image may be a stretched version of the other. */
const ALIGNED = 0.9;
/**
 * Numbers of nearest rows that are checked for a turned or mirrored image, for an image without its border, and for an image whose
 * neighbours are all of its own video or bytes.
 */
const [TURNED, TRIMMED, CROWDED] = [4, 8, 24];
/** A row with fewer neighbours than this outside its own video and its own bytes is searched again among other rows. */
const LEAST_OTHERS = 4;
/** Frames whose cosine with the last selected frame of their video is above this are skipped. */
const SAME_FRAME = 0.95;
/** Number of thumbnails that are processed together. */
const IMAGES_AT_ONCE = 16;
/**
 * Maximum number of vectors of trimmed images that are buffered before a search, and of earlier runs' vectors that are searched at once.
 */
const [MAX_HELD, MAX_TRIMMED] = [4096, 65_536];

export interface FindOptions {
  threads: number;
  /** Computes appearance embeddings. */
  describe: (images: WorkingImage[]) => Promise<(Float32Array | undefined)[]>;
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** Awaited between slices of work. */
  turn?: () => Promise<void>;
}

/** Input of a job that searches candidates, as the store prepares it. */
export type CandidateInput = {
  engine: EngineLocation;
  vectors: SpaceAddress;
  /** The index of appearance embeddings that reads use. */
  index: IndexVersion;
  /** Rows below this number were compared with each other before, with and without their borders. */
  from_row: number;
  /** File of clusters. Clusters determine the order of comparisons, so that similar images are in memory together. */
  clusters_file: string;
  /** By row: number of the video of a frame, -1 for images. Frames of one video are not compared. */
  videos: Int32Array;
  /** By row: the first row with the same bytes, which represents them all; -1 for a row without an item. */
  originals: Int32Array;
  /** Thumbnails of the rows from `from_row` on. A missing one has 0 bytes. */
  thumbnails: { folder: string; packs: Int32Array; offsets: Float64Array; bytes: Int32Array };
  /** File to which the pairs are written. */
  candidates_file: string;
  /** File of known vectors of images without their border, and the file to write for rows from `from_row` on. */
  known_trimmed_file: string;
  trimmed_file: string;
  /** File of the corners of images; see {@link FeatureFile}. */
  features_file: string;
};

/** Finds the pairs of images that may match, and writes them to a file: [Note: Near-duplicates]. */
export async function findCandidates(job: CandidateJob, options: FindOptions): Promise<void> {
  const input = job.input as CandidateInput;
  const engine = openVectorEngine(input.engine, {
    state: { indexed: () => input.index, vectorsState: () => 0 },
  });
  try {
    const collection = engine.open(input.vectors);
    await new CandidateFinder(input, { ...options, collection }).run();
  } finally {
    await engine.close();
  }
}

class CandidateFinder {
  readonly #input: CandidateInput;
  readonly #options: FindOptions;
  readonly #collection: VectorCollection;
  readonly #dim: number;
  /** Vectors of all rows. */
  readonly #vectors: RowVectors;
  /** Room for two vectors that are compared. */
  readonly #compared: readonly [Float32Array, Float32Array];
  readonly #found: CandidateSet;
  /** Rows to compare, whether or not their files exist: the first row of equal bytes. */
  readonly #rows: Int32Array;
  /** Rows that were not compared before. */
  readonly #fresh: Int32Array;
  readonly #queries: Float32Array;

  constructor(input: CandidateInput, options: FindOptions & { collection: VectorCollection }) {
    this.#input = input;
    this.#options = options;
    this.#collection = options.collection;
    this.#dim = options.collection.dim;
    const { index, from_row, originals, clusters_file } = input;
    this.#vectors = options.collection.vectorsOf(index.count);
    this.#compared = [new Float32Array(this.#dim), new Float32Array(this.#dim)];
    this.#queries = new Float32Array(
      Math.min(mostQueries(this.#vectors), Math.max(FEWEST_QUERIES, index.count)) * this.#dim,
    );
    this.#rows = rowsWhere(index.count, (row) => originals[row] === row);
    this.#fresh = this.#rows.filter((row) => row >= from_row);
    this.#found = new CandidateSet(comparisonOrder(clusters_file, this.#rows), index.count);
  }

  async run(): Promise<void> {
    const { onProgress } = this.#options;
    await this.#lookAround();
    onProgress?.(0.1);
    await this.#lookAmongTrimmed();
    await this.#trim((fraction) => onProgress?.(0.1 + 0.5 * fraction));
    await this.#lookAmongBordered();
    for (const [nth, orientation] of ORIENTATIONS.entries()) {
      await this.#ask({
        of: (row, target) => orient(this.#vector(row, 0), orientation, target),
        k: TURNED,
        least: LEAST_TURNED,
        is_mirrored: orientation.is_mirrored,
        isWorth: (row, other, similarity) =>
          similarity >= SYMMETRIC || similarity >= this.#similarity(row, other) + NEARER,
      });
      onProgress?.(0.6 + (0.4 * (nth + 1)) / ORIENTATIONS.length);
    }
    writeCandidates(this.#input.candidates_file, this.#found.inOrder());
  }

  /**
   * Adds pairs from the neighbour graph. Rows whose neighbours are mostly of their own video or copies are searched again among other rows.
   */
  async #lookAround(): Promise<void> {
    const { index, from_row } = this.#input;
    const isCompared = new Uint8Array(index.count);
    for (const row of this.#rows) isCompared[row] = 1;
    const crowded = new Set<number>();
    for await (const { first, k, rows, similarities } of this.#collection.neighbors(index)) {
      for (let start = 0; start < rows.length; start += k) {
        const row = first + start / k;
        if (isCompared[row] !== 1) continue;
        let [others, all] = [0, 0];
        for (let at = start; at < start + k; at += 1) {
          const other = rows[at] as number;
          if (other < 0 || other >= index.count) continue;
          all += 1;
          if (isCompared[other] === 0 || this.#isOneVideo(row, other)) continue;
          others += 1;
          const least = others <= NEAREST ? LEAST_ALIKE : LEAST_OF_OTHERS;
          if (row >= from_row || other >= from_row) this.#add(row, other, similarities[at] as number, least);
        }
        if (row >= from_row && all === k && others < LEAST_OTHERS) crowded.add(row);
      }
    }
    if (crowded.size === 0) return;
    await this.#ask({
      rows: Int32Array.from(crowded),
      allowed: RowSet.of(index.count, this.#keyRows()),
      of: (row, target) => this.#vectors.copy(row, target),
      k: CROWDED,
      least: LEAST_ALIKE,
    });
  }

  /** Searches new rows among the trimmed versions of images that were compared before. */
  async #lookAmongTrimmed(): Promise<void> {
    if (this.#fresh.length === 0) return;
    for (const trimmed of this.#trimmedOf(this.#input.known_trimmed_file)) {
      await this.#lookAmong(trimmed, this.#fresh, (row, target) => this.#vectors.copy(row, target));
    }
  }

  /** Searches newly trimmed images among all trimmed images: two copies may have different borders. */
  async #lookAmongBordered(): Promise<void> {
    const { known_trimmed_file, trimmed_file } = this.#input;
    let vector: Int8Array = new Int8Array();
    const asking = function* () {
      for (const trimmed of readTrimmed(trimmed_file)) {
        vector = trimmed.vector;
        yield trimmed.row;
      }
    };
    for (const file of [known_trimmed_file, trimmed_file]) {
      for (const trimmed of this.#trimmedOf(file)) {
        await this.#lookAmong(trimmed, asking(), (_row, target) => unpackVector(vector, target));
      }
    }
  }

  /** Reads trimmed images in batches of limited size. */
  *#trimmedOf(file: string): Generator<TrimmedVector[]> {
    const { originals } = this.#input;
    let held: TrimmedVector[] = [];
    for (const trimmed of readTrimmed(file)) {
      if (originals[trimmed.row] === trimmed.row) held.push(trimmed);
      if (held.length < MAX_TRIMMED) continue;
      yield held;
      held = [];
    }
    if (held.length > 0) yield held;
  }

  async #lookAmong(
    trimmed: readonly TrimmedVector[],
    asking: Iterable<number>,
    of: (row: number, target: Float32Array) => void,
  ): Promise<void> {
    const rows = Int32Array.from(trimmed, ({ row }) => row);
    await this.#ask({
      search: searchTrimmed(trimmed, this.#dim, this.#options),
      rows: asking,
      allowed: RowSet.where(rows.length, () => true),
      rowOf: (candidate) => rows[candidate] as number,
      of,
      k: TRIMMED,
      least: LEAST_ALIKE,
    });
  }

  /** Computes embeddings of images with a border, without that border; and the corners of all images, which comparisons need. */
  async #trim(onProgress: (fraction: number) => void): Promise<void> {
    const { cv } = await openCv();
    const stored = new FeatureFile(this.#input.features_file);
    const kept = new TrimmedWriter(this.#input.trimmed_file, this.#dim);
    try {
      const trimmed = new Map<number, Float32Array>();
      for (let first = 0; first < this.#fresh.length; first += IMAGES_AT_ONCE) {
        await this.#options.turn?.();
        this.#options.signal?.throwIfAborted();
        const rows = this.#fresh.subarray(first, first + IMAGES_AT_ONCE);
        const page = await Promise.all(Array.from(rows, (row) => this.#decode(row)));
        for (const { thumbnail, image } of page) if (image) stored.write(thumbnail, findPrefilterFeatures(cv, image));
        const images = page.map(({ thumbnail: { row }, image }) => ({ row, image }));
        for (const { row, vector } of await describeTrimmed(images, this.#options.describe)) {
          trimmed.set(row, vector);
          kept.add({ row, vector: packVector(vector) });
        }
        if (trimmed.size >= MAX_HELD) await this.#askTrimmed(trimmed);
        onProgress(first / this.#fresh.length);
      }
      await this.#askTrimmed(trimmed);
      kept.finish();
    } finally {
      kept.close();
      stored.close();
    }
  }

  async #askTrimmed(trimmed: Map<number, Float32Array>): Promise<void> {
    await this.#ask({
      rows: Int32Array.from(trimmed.keys()),
      of: (row, target) => target.set(trimmed.get(row) ?? []),
      k: TRIMMED,
      least: LEAST_ALIKE,
    });
    trimmed.clear();
  }

  /**
   * Searches for the nearest rows of variants of rows, and adds the pairs.
   * @param query `of` writes the vector of a row's variant. `rowOf` maps results of `search` to rows. `isWorth` selects pairs.
   */
  async #ask(query: {
    search?: SearchMany;
    rows?: Iterable<number>;
    allowed?: RowSet;
    rowOf?: (candidate: number) => number;
    of: (row: number, target: Float32Array) => void;
    k: number;
    least: number;
    is_mirrored?: boolean;
    isWorth?: (row: number, other: number, similarity: number) => boolean;
  }): Promise<void> {
    const { rows = this.#fresh, rowOf = (candidate) => candidate, of, k, least, is_mirrored = false, isWorth } = query;
    const search = query.search ?? ((...args) => this.#collection.searchMany(...args));
    const allowed = query.allowed ?? RowSet.of(this.#input.index.count, this.#rows);
    const asking: number[] = [];
    const answer = async () => {
      if (asking.length === 0) return;
      await this.#options.turn?.();
      const queries = this.#queries.subarray(0, asking.length * this.#dim);
      const found = await search(queries, k, allowed, this.#options);
      for (let at = 0; at < found.rows.length; at += 1) {
        const candidate = found.rows[at] as number;
        const similarity = found.similarities[at] as number;
        if (candidate < 0 || similarity < least) continue;
        const row = asking[Math.floor(at / k)] as number;
        const other = rowOf(candidate);
        if (other === row || this.#isOneVideo(row, other)) continue;
        if (isWorth && !isWorth(row, other, similarity)) continue;
        this.#found.add({ a: row, b: other, is_mirrored, is_aligned: false });
      }
      asking.length = 0;
    };
    for (const row of rows) {
      of(row, this.#queries.subarray(asking.length * this.#dim, (asking.length + 1) * this.#dim));
      asking.push(row);
      if (asking.length * this.#dim === this.#queries.length) await answer();
    }
    await answer();
  }

  #add(row: number, other: number, similarity: number, least: number): void {
    if (similarity < least) return;
    this.#found.add({ a: row, b: other, is_mirrored: false, is_aligned: similarity >= ALIGNED });
  }

  /** Reads an image once for its border and for its corners. */
  async #decode(row: number): Promise<{ thumbnail: StoredThumbnail; image: WorkingImage | undefined }> {
    const thumbnail = this.#thumbnail(row);
    const pixels = await readPixels(thumbnail, PREFILTER_PX);
    return { thumbnail, image: pixels && (isSmall(pixels) ? pixels : await scaledTo(pixels, PREFILTER_PX)) };
  }

  #thumbnail(row: number): StoredThumbnail {
    const { from_row, thumbnails } = this.#input;
    const { folder, packs, offsets, bytes } = thumbnails;
    const at = row - from_row;
    return {
      row,
      path: packFile(folder, packs[at] as number),
      offset: offsets[at] as number,
      bytes: bytes[at] as number,
    };
  }

  /** @param place 0 or 1. @returns Valid until the next call for this place. */
  #vector(row: number, place: 0 | 1): Float32Array {
    this.#vectors.copy(row, this.#compared[place]);
    return this.#compared[place];
  }

  #similarity(a: number, b: number): number {
    return innerProduct(this.#vector(a, 0), 0, this.#vector(b, 1), 0, this.#dim);
  }

  #isOneVideo(a: number, b: number): boolean {
    const { videos } = this.#input;
    return (videos[a] as number) >= 0 && videos[a] === videos[b];
  }

  /** Returns all images, and the frames of videos that differ from the frame before. */
  #keyRows(): Int32Array {
    const { videos } = this.#input;
    const lastOfVideo = new Map<number, number>();
    return this.#rows.filter((row) => {
      const video = videos[row] as number;
      if (video < 0) return true;
      const last = lastOfVideo.get(video);
      if (last !== undefined && this.#similarity(row, last) > SAME_FRAME) return false;
      lastOfVideo.set(video, row);
      return true;
    });
  }
}
