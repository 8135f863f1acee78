import type { CandidateRequest, StoredThumbnail } from '../../core/ports/duplicates.ts';
import { packFile } from '../dataset-store/disk/thumbnail-packs.ts';
import type { WorkingImage } from '../images/decode-image.ts';
import { ORIENTATIONS, orient } from '../inference/descriptor-orientations.ts';
import { readLists } from '../vectors/built-in/lists-file.ts';
import { VectorSegments } from '../vectors/built-in/vector-segments.ts';
import { readGraph } from '../vectors/neighbors/neighbor-graph.ts';
import { innerProduct, rowsWhere } from '../vectors/rows.ts';
import { writeCandidates } from './candidate-file.ts';
import { CandidateSet } from './candidate-set.ts';
import { comparisonOrder } from './comparison-order.ts';
import { ForeignSearch } from './foreign-search.ts';
import { packVector, readTrimmed, type TrimmedVector, TrimmedWriter, unpackVector } from './trimmed-file.ts';
import { describeTrimmed, searchTrimmed } from './trimmed-images.ts';

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
/** Thumbnails that are looked at together. */
const IMAGES_AT_ONCE = 16;
/** Vectors of trimmed images that are held until they are looked for, and of those of former runs, until they are looked among. */
const [MOST_HELD, MOST_TRIMMED] = [4096, 65_536];

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
  /** Those that are new, and those whose borders are not known. */
  readonly #fresh: Int32Array;
  readonly #untrimmed: Int32Array;

  constructor(request: CandidateRequest, options: FindOptions) {
    this.#request = request;
    this.#options = options;
    const { count, from_row, borders_from, originals, lists_file, clusters_file } = request;
    const { threads, signal } = options;
    const segments = VectorSegments.openExisting(request.vectors_folder);
    const lists = lists_file === undefined ? undefined : readLists(lists_file);
    const read = (target: Float32Array<ArrayBuffer>) => segments.readRows(0, count, target);
    this.#search = new ForeignSearch({ count, dim: segments.dim, read }, { lists, threads, signal });
    segments.close();
    this.#rows = rowsWhere(count, (row) => originals[row] === row);
    this.#fresh = this.#rows.filter((row) => row >= from_row);
    this.#untrimmed = this.#rows.filter((row) => row >= borders_from);
    this.#found = new CandidateSet(comparisonOrder(clusters_file, this.#rows), count);
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

  /** What is new, among images that were compared before, as these are without their border. */
  async #lookAmongTrimmed(): Promise<void> {
    if (this.#fresh.length === 0) return;
    for (const trimmed of this.#trimmedOf(this.#request.trimmed_in)) {
      await this.#lookAmong(trimmed, this.#fresh, (row, target) => target.set(this.#search.vector(row)));
    }
  }

  /** What was trimmed now, among all that are without their border: two copies may have different ones. */
  async #lookAmongBordered(): Promise<void> {
    const { trimmed_in, trimmed_out } = this.#request;
    let vector: Int8Array = new Int8Array();
    const asking = function* () {
      for (const trimmed of readTrimmed(trimmed_out)) {
        vector = trimmed.vector;
        yield trimmed.row;
      }
    };
    for (const file of [trimmed_in, trimmed_out]) {
      for (const trimmed of this.#trimmedOf(file)) {
        await this.#lookAmong(trimmed, asking(), (_row, target) => unpackVector(vector, target));
      }
    }
  }

  /** Images without their border, as many at a time as are held. */
  *#trimmedOf(file: string): Generator<TrimmedVector[]> {
    const { originals } = this.#request;
    let held: TrimmedVector[] = [];
    for (const trimmed of readTrimmed(file)) {
      if (originals[trimmed.row] === trimmed.row) held.push(trimmed);
      if (held.length < MOST_TRIMMED) continue;
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
      search: searchTrimmed(trimmed, this.#search.dim, this.#options),
      rows: asking,
      candidates: rows.map((_row, at) => at),
      rowOf: (candidate) => rows[candidate] as number,
      of,
      k: TRIMMED,
      least: LEAST_ALIKE,
    });
  }

  /** Images that have a border, as they are without. */
  async #trim(onProgress: (fraction: number) => void): Promise<void> {
    const kept = new TrimmedWriter(this.#request.trimmed_out, this.#search.dim);
    try {
      const trimmed = new Map<number, Float32Array>();
      for (let first = 0; first < this.#untrimmed.length; first += IMAGES_AT_ONCE) {
        this.#options.signal?.throwIfAborted();
        const rows = this.#untrimmed.subarray(first, first + IMAGES_AT_ONCE);
        const page = Array.from(rows, (row) => this.#thumbnail(row));
        for (const { row, vector } of await describeTrimmed(page, this.#options.describe)) {
          trimmed.set(row, vector);
          kept.add({ row, vector: packVector(vector) });
        }
        if (trimmed.size >= MOST_HELD) await this.#askTrimmed(trimmed);
        onProgress(first / this.#untrimmed.length);
      }
      await this.#askTrimmed(trimmed);
      kept.finish();
    } finally {
      kept.close();
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

  /** Asks for the nearest of what some rows look like otherwise. @param asked `rowOf` says of which row a candidate is. */
  async #ask(asked: {
    search?: ForeignSearch;
    rows?: Iterable<number>;
    candidates?: Int32Array;
    rowOf?: (candidate: number) => number;
    of: (row: number, target: Float32Array) => void;
    k: number;
    least: number;
    is_mirrored?: boolean;
  }): Promise<void> {
    const { search = this.#search, rows = this.#fresh, candidates = this.#rows, rowOf } = asked;
    const { of, k, least, is_mirrored = false } = asked;
    const asking: number[] = [];
    const answer = async () => {
      await search.run(candidates, k, (query, candidate, similarity) => {
        const row = asking[query] as number;
        const other = rowOf ? rowOf(candidate) : candidate;
        if (similarity < least || other === row || this.#isOneVideo(row, other)) return;
        this.#found.add({ a: row, b: other, is_mirrored, is_aligned: false });
      });
      asking.length = 0;
    };
    for (const row of rows) {
      of(row, search.nextQuery());
      asking.push(row);
      if (search.isFull) await answer();
    }
    await answer();
  }

  #add(row: number, other: number, similarity: number): void {
    if (similarity < LEAST_ALIKE) return;
    this.#found.add({ a: row, b: other, is_mirrored: false, is_aligned: similarity >= ALIGNED });
  }

  #thumbnail(row: number): StoredThumbnail {
    const { borders_from, thumbnails } = this.#request;
    const { folder, packs, offsets, bytes } = thumbnails;
    const at = row - borders_from;
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
