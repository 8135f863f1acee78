import { LRUCache } from 'lru-cache';
import { makeLevel } from '../../vectors/clustering/cluster-level.ts';
import { highestFirst } from '../../vectors/highest-first.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import { groupByList } from '../../vectors/rows.ts';
import { ClusterIndex } from '../clusters/cluster-index.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import { allOf } from '../columns/pieces.ts';
import { compareCopies } from './best-copy.ts';
import { CopyGrouping } from './copy-grouping.ts';
import type { GroupedRows } from './copy-groups.ts';
import { CopyIndex } from './copy-index.ts';
import type { DuplicatePairRepository } from './duplicate-pair.repository.ts';
import { JoinedRows } from './joined-rows.ts';
import { PairTable } from './pair-table.ts';

/** Maximum number of cached groupings of each kind, for users who move the confidence slider back and forth. */
const MAX_CACHED = 8;
/** Maximum number of confidences at which groups follow the shown rows. */
const MAX_GROUPINGS = 2;
/** Minimum share of the shorter video's frames that must be found in the other video. */
const FRAMES_ALIKE = 0.8;

type ReadPairs = Pick<DuplicatePairRepository, 'copyFactsOf' | 'lastRow' | 'listEqual' | 'readColumns'>;

/** Groups of items, or of videos, that are duplicates at a confidence. */
export class DuplicateGroups {
  readonly #pairs: ReadPairs;
  readonly #versions: Pick<DataVersions, 'duplicates' | 'rows'>;
  /** Groupings by confidence and state of the rows. */
  readonly #copies = new LRUCache<string, CopyIndex>({ max: MAX_CACHED });
  readonly #groupings = new LRUCache<string, CopyGrouping>({ max: MAX_GROUPINGS });
  readonly #cached = new LRUCache<string, ClusterIndex>({ max: MAX_CACHED });
  #loaded: { state: string; pairs: PairTable } | undefined;

  constructor(pairs: ReadPairs, versions: Pick<DataVersions, 'duplicates' | 'rows'>) {
    this.#pairs = pairs;
    this.#versions = versions;
  }

  /** Returns groups of two or more items around their copy to keep, which comes first. Single rows are in no group. */
  ofItems(threshold: number, grouped: GroupedRows): CopyIndex {
    return keep(this.#copies, `${threshold} ${grouped.state}`, () => {
      const { groups, placeOf } = this.#groupingAt(threshold, grouped).of(grouped);
      return new CopyIndex(groups, grouped.rows.size, (row) => -(placeOf[row] as number));
    });
  }

  #groupingAt(threshold: number, { base }: GroupedRows): CopyGrouping {
    const pairs = this.#load();
    return keep(this.#groupings, `${threshold} ${base}`, () => {
      const bestFirst = (rows: Int32Array) =>
        Int32Array.from(this.#pairs.copyFactsOf([...rows]).sort(compareCopies), ({ row }) => row);
      return new CopyGrouping(pairs, threshold, bestFirst);
    });
  }

  /** Returns groups of items that are connected at a confidence, directly or through others. */
  connected(threshold: number, grouped: GroupedRows): ClusterIndex {
    return keep(this.#cached, `connected ${threshold} ${grouped.state}`, () => {
      const { rows, videoOf } = grouped;
      const groups = new JoinedRows(rows.size);
      this.#eachPair(threshold, grouped, (a, b) => {
        if ((videoOf[a] as number) < 0 || videoOf[a] !== videoOf[b]) groups.join(a, b);
      });
      return indexOf(groups, rows.size, (row) => -row);
    });
  }

  /** Returns groups of duplicate videos, as the rows of all their frames, those of the longest video first. */
  ofVideos(threshold: number, grouped: GroupedRows): ClusterIndex {
    return keep(this.#cached, `videos ${threshold} ${grouped.state}`, () => {
      const { rows, videoOf } = grouped;
      const framesOf = new Map<number, number[]>();
      rows.forEach((row) => {
        const video = videoOf[row] as number;
        if (video < 0) return;
        const known = framesOf.get(video);
        if (known) known.push(row);
        else framesOf.set(video, [row]);
      });
      const groups = new JoinedRows(rows.size);
      for (const [a, b] of this.#videosAlike(threshold, grouped, framesOf)) {
        const [first, ...others] = [...(framesOf.get(a) ?? []), ...(framesOf.get(b) ?? [])];
        for (const other of others) groups.join(first as number, other);
      }
      return indexOf(groups, rows.size, (row) => framesOf.get(videoOf[row] as number)?.length ?? 0);
    });
  }

  /** Returns for each of some rows the highest share of a pair with another of them. */
  confidences(rows: RowSet): Map<number, number> {
    const best = new Map<number, number>();
    const pairs = this.#load();
    pairs.forEach(0, (a, b, share) => {
      if (!rows.has(a) || !rows.has(b)) return;
      for (const row of [a, b]) best.set(row, Math.max(best.get(row) ?? 0, share));
    });
    for (const all of pairs.equal) {
      const shown = all.filter((row) => rows.has(row));
      if (shown.length > 1) for (const row of shown) best.set(row, 1);
    }
    return best;
  }

  /** Returns how much of two items agrees, 0 … 1; 0 for items that were not compared or do not match. */
  shareOf(rowA: number, rowB: number): number {
    return this.#load().shareOf(rowA, rowB);
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
    const pairs = this.#load();
    pairs.forEach(threshold, (a, b) => {
      if (rows.has(a) && rows.has(b)) use(a, b);
    });
    for (const all of pairs.equal) {
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
  *make(): Generator<void, PairTable> {
    const nRows = this.#pairs.lastRow() + 1;
    const state = `${this.#versions.duplicates} ${this.#versions.rows} ${nRows}`;
    if (this.#loaded?.state === state) return this.#loaded.pairs;
    const near = yield* this.#pairs.readColumns();
    const pairs = new PairTable(near, yield* this.#pairs.listEqual(), nRows);
    this.#loaded = { state, pairs };
    return pairs;
  }

  #load(): PairTable {
    return allOf(this.make());
  }
}

function keep<Index extends object>(kept: LRUCache<string, Index>, key: string, make: () => Index): Index {
  const known = kept.get(key);
  if (known) return known;
  const index = make();
  kept.set(key, index);
  return index;
}

function indexOf(groups: JoinedRows, count: number, closeness: (row: number) => number): ClusterIndex {
  const members = groups.members();
  const rows = highestFirst(Float32Array.from(members, closeness)).map((at) => members[at] as number);
  const groupOf = rows.map((row) => groups.groupOf(row));
  return new ClusterIndex(makeLevel(groupByList(groupOf, rows, count), count));
}
