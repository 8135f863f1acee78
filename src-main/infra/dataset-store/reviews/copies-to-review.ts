import type Database from 'better-sqlite3';
import type { KeepRule } from '../../../contract/schemas/review.ts';
import type { GroupQueue, GroupSuggestions, QueueCounts, QueuePage } from '../../../core/ports/reviews.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { ClusterIds } from '../clusters/cluster-ids.ts';
import { LOSSLESS } from '../duplicates/best-copy.ts';
import type { CopyIndex } from '../duplicates/copy-index.ts';
import type { LocalDuplicateReads } from '../duplicates/local-duplicate-reads.ts';
import type { Facts, RowFacts } from '../explore/row-facts.ts';
import type { RowMatcher } from '../explore/row-matcher.ts';
import { decidedBy } from './decided-by.ts';

interface Parts {
  db: Database.Database;
  matcher: RowMatcher;
  rowFacts: RowFacts;
  duplicates: LocalDuplicateReads;
  clusterIds: ClusterIds;
}

/** Undecided groups of duplicates among the matches of a queue. */
interface OpenGroups {
  facts: Facts;
  clusters: CopyIndex;
  /** Matching rows of these groups. */
  rows: RowSet;
  nGroups: number;
}

interface FileFacts {
  row: number;
  size_bytes: number;
  mtime_ms: number;
  format: string;
}

/** Groups of duplicates to review: [Note: Review]. */
export class CopiesToReview {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list(
    queue: GroupQueue,
    { skip, limit }: QueuePage,
  ): QueueCounts & { entries: ReturnType<LocalDuplicateReads['page']>['groups'] } {
    const { duplicates, clusterIds } = this.#parts;
    const { facts, clusters, rows, nGroups } = this.#open(queue);
    const skipped = new Set(skip.map((id) => clusters.clusterOf(clusterIds.decode(id)?.first_row ?? -1)));
    const left =
      skipped.size === 0
        ? rows
        : RowSet.where(rows.size, (row) => rows.has(row) && !skipped.has(clusters.clusterOf(row)));
    return {
      entries: duplicates.page(clusters, left, 0, limit).groups,
      left: nGroups,
      done: decidedBy(facts, queue.queue_id, 'kept'),
    };
  }

  /** Chooses the copy to keep of each undecided group; excludes the others that agree with it by the threshold. */
  suggest(queue: GroupQueue, rule: KeepRule, folders: readonly string[]): GroupSuggestions {
    const { duplicates } = this.#parts;
    const { facts, clusters, rows } = this.#open(queue);
    const files = this.#filesOf(rows);
    const rankOf = keepOrder(rule, facts, files);
    const folderRank = folderOrder(folders, facts);
    const [kept, excluded] = [new RowSet(facts.count), new RowSet(facts.count)];
    let [nEntries, sizeBytes] = [0, 0];
    for (const members of groupsOf(clusters, rows)) {
      // Rows are in the order of the index, so that of equal copies the suggested one is kept.
      const keeper = members.reduce((best, row) => {
        const difference = folderRank(best) - folderRank(row) || rankOf(row) - rankOf(best);
        return difference > 0 ? row : best;
      });
      const copies = members.filter(
        (row) => row !== keeper && duplicates.confidence(clusters, keeper, row) >= queue.threshold,
      );
      if (copies.length === 0) continue;
      nEntries += 1;
      kept.add(keeper);
      for (const row of copies) {
        excluded.add(row);
        sizeBytes += files.get(row)?.size_bytes ?? 0;
      }
    }
    return {
      kept: { IMAGES: kept.words },
      excluded: { IMAGES: excluded.words },
      n_entries: nEntries,
      n_excluded: excluded.count,
      size_bytes: sizeBytes,
    };
  }

  #open({ queue_id, conditions, threshold }: GroupQueue): OpenGroups {
    const { matcher, rowFacts } = this.#parts;
    const facts = rowFacts.of('IMAGES');
    const clusters = facts.duplicates.items(threshold);
    const found = matcher.match('IMAGES', [...conditions, { name: 'duplicates', op: 'duplicates', value: threshold }]);
    const decided = facts.edits.reviewed('IMAGES', { queue_id, verdict: undefined }, facts.count);
    const sizes = new Int32Array(clusters.nClusters);
    const isOpen = new Uint8Array(clusters.nClusters);
    found.forEach((row) => {
      const cluster = clusters.clusterOf(row);
      sizes[cluster] = (sizes[cluster] as number) + 1;
      if (!decided.has(row)) isOpen[cluster] = 1;
    });
    const isLeft = (cluster: number) => (sizes[cluster] as number) > 1 && isOpen[cluster] === 1;
    const rows = new RowSet(facts.count);
    found.forEach((row) => {
      if (isLeft(clusters.clusterOf(row))) rows.add(row);
    });
    const nGroups = sizes.reduce((sum, _size, cluster) => sum + Number(isLeft(cluster)), 0);
    return { facts, clusters, rows, nGroups };
  }

  #filesOf(rows: RowSet): Map<number, FileFacts> {
    const found = this.#parts.db
      .prepare<[string], FileFacts>(
        `SELECT row, size_bytes, mtime_ms, format FROM media JOIN file USING (file_id)
         WHERE row IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify([...rows.toRows()]));
    return new Map(found.map((facts) => [facts.row, facts]));
  }
}

/** Yields the rows of each group, in the order of the index: the suggested copy first. */
function* groupsOf(clusters: CopyIndex, rows: RowSet): Iterable<number[]> {
  for (let cluster = 0; cluster < clusters.nClusters; cluster += 1) {
    const members = [...clusters.rows(cluster)].filter((row) => rows.has(row));
    if (members.length > 1) yield members;
  }
}

/** Returns the worth of a copy by a rule: greater is better. */
function keepOrder(rule: KeepRule, { columns }: Facts, files: ReadonlyMap<number, FileFacts>): (row: number) => number {
  const { widths, heights } = columns.items;
  if (rule === 'resolution') return (row) => (widths[row] ?? 0) * (heights[row] ?? 0);
  if (rule === 'size') return (row) => files.get(row)?.size_bytes ?? 0;
  if (rule === 'format') return (row) => Number(LOSSLESS.includes(files.get(row)?.format ?? ''));
  if (rule === 'oldest') return (row) => -(files.get(row)?.mtime_ms ?? 0);
  if (rule === 'newest') return (row) => files.get(row)?.mtime_ms ?? 0;
  return () => 0;
}

/** Returns the place of a row's folder among the preferred ones, subfolders included. */
function folderOrder(folders: readonly string[], { columns }: Facts): (row: number) => number {
  const { folderOf, folders: paths } = columns.items;
  const requested = folders.map((folder) => `${folder.toLowerCase().replace(/\/+$/, '')}/`);
  const places = paths.map((path) => {
    const at = requested.findIndex((folder) => `${path.toLowerCase()}/`.startsWith(folder));
    return at === -1 ? requested.length : at;
  });
  return (row) => places[folderOf[row] ?? -1] ?? requested.length;
}
