import type { CandidateRequest, StoredThumbnail } from '../../core/ports/duplicates.ts';
import { packFile } from '../dataset-store/disk/thumbnail-packs.ts';
import type { WorkingImage } from '../images/decode-image.ts';
import { ORIENTATIONS, orient } from '../models/descriptor-orientations.ts';
import { readClusters } from '../vectors/cluster-file.ts';
import { readLists } from '../vectors/lists-file.ts';
import { readGraph } from '../vectors/neighbor-graph.ts';
import { innerProduct, rowsWhere } from '../vectors/rows.ts';
import { VectorSegments } from '../vectors/vector-segments.ts';
import { writeCandidates } from './candidate-file.ts';
import { CandidateSet } from './candidate-set.ts';
import { ForeignSearch } from './foreign-search.ts';
import { readWorking } from './read-thumbnail.ts';
import { withoutBorder } from './trim-borders.ts';

/** Cosines of looks from which two images may show the same; turned and mirrored ones are found by much higher ones. */
const [LEAST_ALIKE, LEAST_TURNED] = [0.4, 0.6];
/** From there on, one may simply be stretched over the other. */
const ALIGNED = 0.9;
/** Nearest rows that are looked at for a turned or mirrored image, for one without its border, and for one that has only itself around. */
const [TURNED, TRIMMED, CROWDED] = [4, 8, 24];
/** A row whose neighbours are all but so few of its own video or of its own bytes is looked for among others. */
const LEAST_OTHERS = 4;
/** Frames that are more like the last one that was kept tell nothing new of their video. */
const SAME_FRAME = 0.95;
/** The level of clusters whose order pairs are compared in. */
const ORDER_LEVEL = 2;
/** Thumbnails that are looked at together. */
const IMAGES_AT_ONCE = 16;
/** Vectors of trimmed images that are held until they are looked for. */
const MOST_HELD = 4096;

export interface FindOptions {
  threads: number;
  /** Vectors of looks. */
  describe: (images: WorkingImage[]) => Promise<(Float32Array | undefined)[]>;
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Finds the pairs that may show the same, and writes them down: [Note: Near-duplicates]. */
export async function findCandidates(request: CandidateRequest, options: FindOptions): Promise<void> {
  await new CandidateFinder(request, options).run();
}

class CandidateFinder {
  readonly #request: CandidateRequest;
  readonly #options: FindOptions;
  readonly #search: ForeignSearch;
  readonly #found: CandidateSet;
  /** Rows that are compared, be their files there or away for a while: the first of their bytes. */
  readonly #rows: Int32Array;
  /** Those that are new. */
  readonly #fresh: Int32Array;

  constructor(request: CandidateRequest, options: FindOptions) {
    this.#request = request;
    this.#options = options;
    const { count, from_row, originals, lists_file, clusters_file } = request;
    const { threads, signal } = options;
    const segments = VectorSegments.openExisting(request.vectors_folder);
    const lists = lists_file === undefined ? undefined : readLists(lists_file);
    this.#search = new ForeignSearch(segments, { count, lists, threads, signal });
    segments.close();
    this.#rows = rowsWhere(count, (row) => originals[row] === row);
    this.#fresh = this.#rows.filter((row) => row >= from_row);
    this.#found = new CandidateSet(orderOf(clusters_file, this.#rows), count);
  }

  async run(): Promise<void> {
    const { onProgress } = this.#options;
    await this.#lookAround();
    onProgress?.(0.1);
    await this.#trim((fraction) => onProgress?.(0.1 + 0.5 * fraction));
    for (const [nth, orientation] of ORIENTATIONS.entries()) {
      await this.#ask({
        of: (row, target) => orient(this.#search.vector(row), orientation, target),
        k: TURNED,
        least: LEAST_TURNED,
        is_mirrored: orientation.is_mirrored,
      });
      onProgress?.(0.6 + (0.4 * (nth + 1)) / ORIENTATIONS.length);
    }
    writeCandidates(this.#request.candidates_out, this.#found.inOrder());
  }

  /** What is near in the neighbour graph; what is crowded by its own video or by copies is looked for once more among others. */
  async #lookAround(): Promise<void> {
    const { count, from_row } = this.#request;
    const graph = readGraph(this.#request.graph_file);
    const isCompared = new Uint8Array(count);
    for (const row of this.#rows) isCompared[row] = 1;
    const crowded = new Set<number>();
    for (const row of this.#rows) {
      let [others, all] = [0, 0];
      for (let at = row * graph.k; at < (row + 1) * graph.k; at += 1) {
        const other = graph.rows[at] as number;
        if (other < 0 || other >= count) continue;
        all += 1;
        if (isCompared[other] === 0 || this.#isOneVideo(row, other)) continue;
        others += 1;
        if (row >= from_row || other >= from_row) this.#add(row, other, graph.similarities[at] as number);
      }
      if (row >= from_row && all === graph.k && others < LEAST_OTHERS) crowded.add(row);
    }
    if (crowded.size === 0) return;
    const candidates = this.#keyRows();
    await this.#ask({
      rows: Int32Array.from(crowded),
      candidates,
      of: (row, target) => target.set(this.#search.vector(row)),
      k: CROWDED,
      least: LEAST_ALIKE,
    });
  }

  /** Images that have a border, as they are without. */
  async #trim(onProgress: (fraction: number) => void): Promise<void> {
    const trimmed = new Map<number, Float32Array>();
    for (let first = 0; first < this.#fresh.length; first += IMAGES_AT_ONCE) {
      this.#options.signal?.throwIfAborted();
      const page = this.#fresh.subarray(first, first + IMAGES_AT_ONCE);
      const images = await Promise.all(Array.from(page, (row) => readWorking(this.#thumbnail(row))));
      const bordered = images.flatMap((image, at) => {
        const inner = image && withoutBorder(image);
        return inner ? [{ row: page[at] as number, inner }] : [];
      });
      const vectors = bordered.length === 0 ? [] : await this.#options.describe(bordered.map(({ inner }) => inner));
      for (const [at, { row }] of bordered.entries()) {
        const vector = vectors[at];
        if (vector) trimmed.set(row, vector);
      }
      if (trimmed.size >= MOST_HELD) await this.#askTrimmed(trimmed);
      onProgress(first / this.#fresh.length);
    }
    await this.#askTrimmed(trimmed);
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

  /** Asks for the nearest of what some rows look like otherwise. */
  async #ask(asked: {
    rows?: Int32Array;
    candidates?: Int32Array;
    of: (row: number, target: Float32Array) => void;
    k: number;
    least: number;
    is_mirrored?: boolean;
  }): Promise<void> {
    const { rows = this.#fresh, candidates = this.#rows, of, k, least, is_mirrored = false } = asked;
    const asking: number[] = [];
    const answer = async () => {
      await this.#search.run(candidates, k, (query, other, similarity) => {
        const row = asking[query] as number;
        if (similarity < least || other === row || this.#isOneVideo(row, other)) return;
        this.#found.add({ a: row, b: other, is_mirrored, is_aligned: false });
      });
      asking.length = 0;
    };
    for (const row of rows) {
      of(row, this.#search.nextQuery());
      asking.push(row);
      if (this.#search.isFull) await answer();
    }
    await answer();
  }

  #add(row: number, other: number, similarity: number): void {
    if (similarity < LEAST_ALIKE) return;
    this.#found.add({ a: row, b: other, is_mirrored: false, is_aligned: similarity >= ALIGNED });
  }

  #thumbnail(row: number): StoredThumbnail {
    const { from_row, thumbnails } = this.#request;
    const { folder, packs, offsets, bytes } = thumbnails;
    const at = row - from_row;
    return {
      row,
      path: packFile(folder, packs[at] as number),
      offset: offsets[at] as number,
      bytes: bytes[at] as number,
    };
  }

  #isOneVideo(a: number, b: number): boolean {
    const { videos } = this.#request;
    return (videos[a] as number) >= 0 && videos[a] === videos[b];
  }

  /** Images, and of videos the frames that are unlike the one before. */
  #keyRows(): Int32Array {
    const { videos } = this.#request;
    const { vectors, dim } = this.#search;
    const lastOfVideo = new Map<number, number>();
    return this.#rows.filter((row) => {
      const video = videos[row] as number;
      if (video < 0) return true;
      const last = lastOfVideo.get(video);
      if (last !== undefined && innerProduct(vectors, row * dim, vectors, last * dim, dim) > SAME_FRAME) return false;
      lastOfVideo.set(video, row);
      return true;
    });
  }
}

/** Rows as clusters are shown, and what is in none of them at the end. */
function orderOf(clustersFile: string, rows: Int32Array): Int32Array {
  const { labels, members } = readClusters(clustersFile)[ORDER_LEVEL] ?? {};
  if (!labels || !members) return rows;
  const others = rows.filter((row) => (labels[row] ?? -1) < 0);
  const order = new Int32Array(members.length + others.length);
  order.set(members);
  order.set(others, members.length);
  return order;
}
