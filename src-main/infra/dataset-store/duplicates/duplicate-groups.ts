import type { ClusterLevel } from '../../vectors/clustering/cluster-file.ts';
import { makeLevel } from '../../vectors/clustering/cluster-level.ts';
import { highestFirst } from '../../vectors/highest-first.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import { ClusterIndex } from '../clusters/cluster-index.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import { allOf } from '../columns/pieces.ts';
import { compareCopies } from './best-copy.ts';
import type { DuplicatePairRepository } from './duplicate-pair.repository.ts';

/** Maximum number of cached groupings, for users who move the confidence slider back and forth. */
const MOST_KEPT = 8;
/** Maximum share that a geometric comparison can give. Only equal bytes are certain. */
const MOST_SHARE = 0.999;
/** Minimum share of the shorter video's frames that must be found in the other video. */
const FRAMES_ALIKE = 0.8;

/** Pairs as columns, with a share of 0 … 1, and rows of equal bytes. */
interface Pairs {
  a: Int32Array;
  b: Int32Array;
  shares: Float32Array;
  equal: readonly Int32Array[];
}

/** Rows to group, and a string that changes with them. */
export interface GroupedRows {
  /** Rows that are shown. */
  rows: RowSet;
  /** Changes when the rows change. */
  state: string;
  /** By row: the video that a frame belongs to; -1 for images. */
  videoOf: Int32Array;
}

/** Groups of items, or of videos, that are connected by pairs of duplicates at a confidence. */
export class DuplicateGroups {
  readonly #pairs: DuplicatePairRepository;
  readonly #versions: DataVersions;
  /** Cached groupings, least recently used first. */
  readonly #kept = new Map<string, ClusterIndex>();
  #loaded: { state: string; pairs: Pairs } | undefined;

  constructor(pairs: DuplicatePairRepository, versions: DataVersions) {
    this.#pairs = pairs;
    this.#versions = versions;
  }

  /** Returns groups of two or more items at a confidence, the best copy to keep first. Single rows are in no group. */
  ofItems(threshold: number, grouped: GroupedRows): ClusterIndex {
    return this.#keep(`items ${threshold} ${grouped.state}`, () => {
      const { rows, videoOf } = grouped;
      const groups = new Groups(rows.size);
      this.#eachPair(threshold, grouped, (a, b) => {
        if ((videoOf[a] as number) < 0 || videoOf[a] !== videoOf[b]) groups.join(a, b);
      });
      const members = groups.members();
      const placeOf = new Map(
        this.#pairs
          .copyFactsOf([...members])
          .sort(compareCopies)
          .map(({ row }, place) => [row, place]),
      );
      return levelOf(groups, members, rows.size, (row) => -(placeOf.get(row) ?? 0));
    });
  }

  /** Returns groups of duplicate videos, as the rows of all their frames, those of the longest video first. */
  ofVideos(threshold: number, grouped: GroupedRows): ClusterIndex {
    return this.#keep(`videos ${threshold} ${grouped.state}`, () => {
      const { rows, videoOf } = grouped;
      const framesOf = new Map<number, number[]>();
      rows.forEach((row) => {
        const video = videoOf[row] as number;
        if (video < 0) return;
        const known = framesOf.get(video);
        if (known) known.push(row);
        else framesOf.set(video, [row]);
      });
      const groups = new Groups(rows.size);
      for (const [a, b] of this.#videosAlike(threshold, grouped, framesOf)) {
        const [first, ...others] = [...(framesOf.get(a) ?? []), ...(framesOf.get(b) ?? [])];
        for (const other of others) groups.join(first as number, other);
      }
      return levelOf(groups, groups.members(), rows.size, (row) => framesOf.get(videoOf[row] as number)?.length ?? 0);
    });
  }

  /**
   * Returns for each row the highest confidence of a pair that connects it to another row of its group.
   * @param groupOf Returns the number of a row's group; -1 for rows that are not wanted.
   */
  confidences(groupOf: (row: number) => number): Map<number, number> {
    const best = new Map<number, number>();
    const { a, b, shares, equal } = this.#load();
    for (let at = 0; at < a.length; at += 1) {
      const [rowA, rowB, share] = [a[at] as number, b[at] as number, shares[at] as number];
      const group = groupOf(rowA);
      if (group < 0 || group !== groupOf(rowB)) continue;
      for (const row of [rowA, rowB]) best.set(row, Math.max(best.get(row) ?? 0, share));
    }
    for (const all of equal) {
      const shown = all.filter((row) => groupOf(row) >= 0);
      if (shown.length > 1) for (const row of shown) best.set(row, 1);
    }
    return best;
  }

  /** Returns pairs of numbers of videos that share most frames of the shorter one. */
  #videosAlike(
    threshold: number,
    grouped: GroupedRows,
    framesOf: ReadonlyMap<number, readonly number[]>,
  ): [number, number][] {
    const matched = new Map<string, { videos: [number, number]; frames: [Set<number>, Set<number>] }>();
    const { videoOf } = grouped;
    this.#eachPair(threshold, grouped, (rowA, rowB) => {
      const [videoA, videoB] = [videoOf[rowA] as number, videoOf[rowB] as number];
      if (videoA < 0 || videoB < 0 || videoA === videoB) return;
      const [a, b, inA, inB] = videoA < videoB ? [videoA, videoB, rowA, rowB] : [videoB, videoA, rowB, rowA];
      const found = matched.get(`${a} ${b}`) ?? { videos: [a, b], frames: [new Set(), new Set()] };
      matched.set(`${a} ${b}`, found);
      found.frames[0].add(inA);
      found.frames[1].add(inB);
    });
    const shareOf = (video: number, frames: ReadonlySet<number>) => frames.size / (framesOf.get(video)?.length ?? 1);
    return [...matched.values()]
      .filter(({ videos, frames }) => {
        const shorter = (framesOf.get(videos[0])?.length ?? 0) <= (framesOf.get(videos[1])?.length ?? 0) ? 0 : 1;
        return shareOf(videos[shorter], frames[shorter]) >= FRAMES_ALIKE;
      })
      .map(({ videos }) => videos);
  }

  /** Calls `use` with enough pairs of shown rows to connect all rows of each group. */
  #eachPair(threshold: number, { rows, videoOf }: GroupedRows, use: (a: number, b: number) => void): void {
    const { a, b, shares, equal } = this.#load();
    for (let at = 0; at < a.length; at += 1) {
      if ((shares[at] as number) < threshold) continue;
      const [rowA, rowB] = [a[at] as number, b[at] as number];
      if (rows.has(rowA) && rows.has(rowB)) use(rowA, rowB);
    }
    for (const all of equal) {
      const [first, ...others] = all.filter((row) => rows.has(row));
      if (first === undefined) continue;
      // Frames of one video are not connected to each other, only to frames and images outside the video.
      const other = others.find((row) => videoOf[row] !== videoOf[first]);
      for (const row of others) {
        use(first, row);
        if (other !== undefined && other !== row) use(other, row);
      }
    }
  }

  /** Loads the pairs in chunks. */
  *make(): Generator<void, Pairs> {
    const state = `${this.#versions.duplicates} ${this.#versions.rows} ${this.#pairs.lastRow()}`;
    if (this.#loaded?.state === state) return this.#loaded.pairs;
    const near = yield* this.#pairs.readColumns();
    const shares = near.shares.map((share) => Math.min(MOST_SHARE, share));
    const pairs: Pairs = { ...near, shares, equal: yield* this.#pairs.listEqual() };
    this.#loaded = { state, pairs };
    return pairs;
  }

  #load(): Pairs {
    return allOf(this.make());
  }

  #keep(key: string, make: () => ClusterIndex): ClusterIndex {
    const groups = this.#kept.get(key) ?? make();
    this.#kept.delete(key);
    this.#kept.set(key, groups);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break;
      this.#kept.delete(oldest);
    }
    return groups;
  }
}

function levelOf(groups: Groups, members: Int32Array, count: number, closeness: (row: number) => number): ClusterIndex {
  const level: ClusterLevel = makeLevel({
    group_of: members.map((row) => groups.groupOf(row)),
    n_groups: count,
    rows: members,
    count,
    closest_first: highestFirst(Float32Array.from(members, closeness)),
  });
  return new ClusterIndex(level);
}

/** Disjoint sets of rows; each set is identified by one of its rows (Tarjan 1975, with path halving). */
class Groups {
  readonly #parents: Int32Array;
  readonly #joined = new Set<number>();

  constructor(count: number) {
    this.#parents = new Int32Array(count);
    for (let row = 0; row < count; row += 1) this.#parents[row] = row;
  }

  join(a: number, b: number): void {
    this.#joined.add(a);
    this.#joined.add(b);
    const [rootA, rootB] = [this.groupOf(a), this.groupOf(b)];
    this.#parents[Math.max(rootA, rootB)] = Math.min(rootA, rootB);
  }

  groupOf(row: number): number {
    let at = row;
    while (this.#parents[at] !== at) {
      this.#parents[at] = this.#parents[this.#parents[at] as number] as number;
      at = this.#parents[at] as number;
    }
    return at;
  }

  /** Returns the rows that were joined with others, ascending. */
  members(): Int32Array {
    return Int32Array.from(this.#joined).sort();
  }
}
