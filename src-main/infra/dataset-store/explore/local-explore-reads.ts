import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { SelectedRows } from '../../../core/ports/edits.ts';
import type {
  ClusterItems,
  ClusterList,
  ClusterQuery,
  ExploreReads,
  FacetCounts,
  FoundSample,
  ItemQuery,
} from '../../../core/ports/explore.ts';
import type { ChosenItems } from '../../../core/ports/exports.ts';
import type { IssueLimits } from '../../../core/ports/issue-limits.ts';
import type { ItemList } from '../../../core/ports/items.ts';
import type { Condition, QueryPlan, SelectionPart } from '../../../core/ports/query.ts';
import type { Answered } from '../../threads/answered.ts';
import {
  type NeedsOf,
  needsOfConditions,
  needsOfList,
  needsOfPlan,
  needsOfPlanAndIssues,
  needsOfSelection,
} from '../thread/needs.ts';
import type { IndexReader } from '../vectors/index-reader.ts';
import type { ClusterLister } from './cluster-lister.ts';
import type { ItemLister } from './item-lister.ts';
import type { PlanCounter } from './plan-counter.ts';
import type { RowSelector } from './row-selector.ts';

interface Parts {
  items: ItemLister;
  clusters: ClusterLister;
  counter: PlanCounter;
  selector: RowSelector;
  index: IndexReader;
}

export class LocalExploreReads implements Answered<ExploreReads> {
  static readonly needs: NeedsOf<ExploreReads> = {
    list: needsOfList,
    listClusters: ({ plan }) => needsOfPlan(plan),
    findCluster: ({ plan }) => needsOfConditions('IMAGES', plan.conditions),
    count: needsOfPlan,
    countFacets: needsOfPlanAndIssues,
    listLabels: needsOfPlan,
    select: needsOfSelection,
    choosePage: ({ plan }) => needsOfPlan(plan),
    chooseItems: needsOfSelection,
  };

  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list(query: ItemQuery): Promise<ItemList> {
    return this.#parts.items.list(query);
  }

  listClusters(query: ClusterQuery): Promise<ClusterList> {
    return this.#parts.clusters.list(query);
  }

  findCluster(query: {
    cluster_id: string;
    plan: Omit<QueryPlan, 'entity_type'>;
    offset: number;
    limit: number;
  }): Promise<ClusterItems | undefined> {
    return this.#parts.clusters.find(query);
  }

  describeLevels(entityType: EntityType) {
    const { index } = this.#parts;
    const levels = index.levelSizes(entityType).map(({ nItems, nClusters, nSingles }) => ({
      n_items: nItems,
      n_clusters: nClusters,
      n_singles: nSingles,
    }));
    return { levels, default_level: index.defaultLevel(entityType) };
  }

  count(plan: QueryPlan): Promise<FoundSample> {
    return this.#parts.counter.count(plan);
  }

  countFacets(plan: QueryPlan, limits: IssueLimits, labelConfidence?: number): Promise<FacetCounts> {
    return this.#parts.counter.countFacets(plan, limits, labelConfidence);
  }

  listLabels(plan: QueryPlan, limit: number): { name: string; count: number }[] {
    return this.#parts.counter.listLabels(plan, limit);
  }

  select(parts: readonly SelectionPart[], conditions: readonly Condition[]): Promise<SelectedRows> {
    return this.#parts.selector.select(parts, conditions);
  }

  choosePage(
    part: { plan: QueryPlan; cluster_id: string | undefined },
    page: { offset: number; limit: number | undefined },
  ): Promise<ChosenItems> {
    return this.#parts.selector.choosePage(part, page);
  }

  chooseItems(parts: readonly SelectionPart[]): Promise<ChosenItems> {
    return this.#parts.selector.chooseItems(parts);
  }
}
