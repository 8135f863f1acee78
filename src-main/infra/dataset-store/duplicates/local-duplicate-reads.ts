import { MAX_IN_GROUP } from '../../../contract/schemas/duplicates.ts';
import type { CopyItem, DuplicateQuery, DuplicateReads, FoundDuplicates } from '../../../core/ports/duplicates.ts';
import type { Answered } from '../../threads/answered.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import { RowGroups } from '../clusters/cluster-groups.ts';
import { type ClusterIds, DUPLICATES_LEVEL } from '../clusters/cluster-ids.ts';
import type { ClusterViews } from '../clusters/cluster-views.ts';
import type { MetaRepository } from '../disk/meta.repository.ts';
import type { RowFacts } from '../explore/row-facts.ts';
import type { RowMatcher } from '../explore/row-matcher.ts';
import { type NeedsOf, needsOfConditions } from '../thread/needs.ts';
import type { IndexReader } from '../vectors/index-reader.ts';
import { compareCopies, reasonToKeep } from './best-copy.ts';
import type { CopyIndex } from './copy-index.ts';
import type { DuplicateGroups } from './duplicate-groups.ts';
import type { DuplicatePairRepository } from './duplicate-pair.repository.ts';
import { COMPARED, type Compared } from './duplicate-state.ts';

type CopyGroupPage = Pick<FoundDuplicates, 'groups' | 'total_groups' | 'total_items'>;

interface Parts {
  matcher: RowMatcher;
  rowFacts: RowFacts;
  duplicates: DuplicateGroups;
  pairs: DuplicatePairRepository;
  views: ClusterViews;
  clusterIds: ClusterIds;
  index: IndexReader;
  meta: MetaRepository;
}

/** Lists groups of duplicates, with the properties by which copies differ. */
export class LocalDuplicateReads implements Answered<DuplicateReads> {
  static readonly needs: NeedsOf<DuplicateReads> = {
    list: ({ conditions }) => needsOfConditions('IMAGES', conditions),
  };

  readonly #parts: Parts;
  readonly #groups = new RowGroups();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list({ conditions, threshold, offset, limit }: DuplicateQuery): FoundDuplicates {
    const { matcher, rowFacts, index, meta } = this.#parts;
    const clusters = rowFacts.of('IMAGES').duplicates.items(threshold);
    const found = matcher.match('IMAGES', [...conditions, { name: 'duplicates', op: 'duplicates', value: threshold }]);
    const indexed = index.published('looks', 'IMAGES')?.count ?? 0;
    return {
      ...this.page(clusters, found, offset, limit),
      compared_rows: Math.min(indexed, meta.get<Compared>(COMPARED)?.rows ?? 0),
      indexed_rows: indexed,
    };
  }

  /** Describes a page of the groups that contain some rows, the largest first. */
  page(clusters: CopyIndex, rows: RowSet, offset: number, limit: number): CopyGroupPage {
    const page = this.#groups.page(clusters, rows, offset, limit);
    return {
      groups: page.groups.map(({ cluster, rows: members }) => this.#group(clusters, cluster, members)),
      total_groups: page.total_clusters,
      total_items: page.total_items,
    };
  }

  /**
   * Returns the similarity of a copy to the one that is kept. If a filter hides the best copy of the group, both are related through it, as
   * pictures that were not compared are.
   */
  confidence(clusters: CopyIndex, kept: number, row: number): number {
    if (kept === row) return 1;
    if (clusters.keeperOf(clusters.clusterOf(kept)) === kept) return clusters.confidenceOf(row);
    const throughBest = clusters.confidenceOf(kept) + clusters.confidenceOf(row) - 1;
    return this.#parts.duplicates.shareOf(kept, row) || Math.max(0, throughBest);
  }

  #group(clusters: CopyIndex, cluster: number, rows: Int32Array): FoundDuplicates['groups'][number] {
    const { rowFacts, views, pairs, clusterIds } = this.#parts;
    const best = pairs.copyFactsOf([...rows]).sort(compareCopies);
    const keeper = best.find(({ row }) => row === clusters.keeperOf(cluster));
    const copies = keeper ? [keeper, ...best.filter((copy) => copy !== keeper)] : best;
    const kept = copies[0]?.row ?? -1;
    const shown = copies.slice(0, MAX_IN_GROUP);
    const items = views.items(
      rowFacts.of('IMAGES'),
      shown.map(({ row }) => row),
    );
    return {
      cluster_id: clusterIds.encode({
        entity_type: 'IMAGES',
        level: DUPLICATES_LEVEL,
        first_row: clusters.firstRow(cluster),
      }),
      n_items: rows.length,
      keep_reason: copies[0] === best[0] ? reasonToKeep(best) : 'common',
      items: shown.flatMap(({ row, format, size_bytes }): CopyItem[] => {
        const item = items.get(row);
        return item ? [{ item, format, size_bytes, confidence: this.confidence(clusters, kept, row) }] : [];
      }),
    };
  }
}
